import { describe, expect, test } from "bun:test";
import {
  AppError,
  englishOnly,
  errorKinds,
  failInEnglish as fail,
  isError,
  listErrorKinds,
} from "@/kernel/lib/errors.ts";

const errors = errorKinds({ TEST_FULL: { status: 409 }, TEST_HIDDEN: { status: 404, wire: "BAD_REQUEST" } });

describe("an error that a domain declares", () => {
  test("answers with its name and status, and the fields it was given", () => {
    const error = new AppError(errors.TEST_FULL, englishOnly("There is no room."), { most: 3 });
    expect(error.status).toBe(409);
    expect(error.toWire()).toEqual({
      result: "error",
      msg: "There is no room.",
      code: "TEST_FULL",
      most: 3,
    });
  });

  test("may be read by clients under a common code", () => {
    const error = new AppError(errors.TEST_HIDDEN, englishOnly("No such thing."));
    expect([error.code, error.toWire().code]).toEqual(["TEST_HIDDEN", "BAD_REQUEST"]);
  });

  test("can be told from other errors when it is caught", () => {
    const thrown = (throwing: () => never): unknown => {
      try {
        return throwing();
      } catch (error) {
        return error;
      }
    };
    const full = thrown(() => fail(errors.TEST_FULL, "There is no room."));
    const kinds = [errors.TEST_FULL, errors.TEST_HIDDEN, "BAD_REQUEST"] as const;
    expect(kinds.map((kind) => isError(full, kind))).toEqual([true, false, false]);
    expect(isError(new Error("TEST_FULL"), errors.TEST_FULL)).toBe(false);
  });

  test("is declared once, and listed by status", () => {
    expect(() => errorKinds({ TEST_FULL: { status: 400 } })).toThrow("Error TEST_FULL is declared twice");
    const statuses = listErrorKinds().map(({ status }) => status);
    expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
    expect(listErrorKinds()).toContain(errors.TEST_HIDDEN);
  });
});
