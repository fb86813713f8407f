// Writes that give another result when they run again: each of these tests must fail under `npm run test:replay`.
import { test } from "bun:test";
import { addNote, kernel } from "../support/kernel.ts";

test("randomness in a statement", async () => {
  const { db, ctx } = kernel();
  await db.write(ctx, (tx) => tx.run("INSERT INTO notes (text, at) VALUES (hex(randomblob(8)), ?)", tx.now));
});

test("a write that bypasses the write path", async () => {
  const { db, ctx } = kernel();
  await db.write(ctx, (tx) => {
    addNote(tx, "seen");
    db.all("INSERT INTO notes (text, at) VALUES ('unseen', 1) RETURNING id");
  });
});

test("a write that updates other rows without changing them", async () => {
  const { db, ctx } = kernel();
  await db.write(ctx, (tx) => {
    for (let n = 0; n < 500; n++) addNote(tx, `note ${n}`);
  });
  await db.write(ctx, (tx) => {
    for (let n = 0; n < 5; n++) tx.run("UPDATE notes SET at = at WHERE random() > 0");
  });
});

test("an ordinary write", async () => {
  const { db, ctx } = kernel();
  await db.write(ctx, (tx) => addNote(tx, "plain"));
});
