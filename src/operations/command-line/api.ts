import { z } from "zod";
import { isOperators } from "@/foundation/auth/operator-token.ts";
import { oneFile } from "@/foundation/files/incoming.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runCommand } from "./actions.ts";
import { commandLine, maxSentMib } from "./schema.ts";

export default domain({
  name: "command-line",
  about: "commands that remote programs (`confab --server`) run at this server",
  endpoints: [
    endpoint("run-command", {
      about:
        "Runs a command of the command line as the caller, for `confab --server`, and returns what it prints with `--json`. The caller may do no more than through the other endpoints. A command that reads standard input or asks for agreement answers an error with `needs`, and is sent again with `input` or `agreed`. A command that reads a file gets it as the file of a multipart body.",
      method: "POST",
      path: "/command",
      body: oneFile(() => ({ maxMib: maxSentMib })),
      params: commandLine,
      returns: { document: z.unknown() },
      run: async (ctx, params, { files, header }) => {
        const isOperator = isOperators(ctx, header("authorization"));
        return { document: await runCommand(ctx, { ...params, file: files[0], isOperator }) };
      },
    }),
  ],
});
