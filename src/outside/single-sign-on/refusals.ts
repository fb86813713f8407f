// Why a provider's answer was not accepted: for the person, and for the log.

import type { Sentence } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";

interface Problem extends Error {
  code?: unknown;
  /** What the provider answered instead of a code. */
  error?: unknown;
}

/** The check of the answer that failed, such as "nonce" or "exp". */
function findFailedClaim({ cause }: Error): string | null {
  const facts = cause instanceof Error ? cause.cause : null;
  return facts !== null && typeof facts === "object" && "claim" in facts ? String(facts.claim) : null;
}

/** Tells people why they are not signed in, and what to do. */
export function refusalOf(problem: Problem, provider: string): Sentence {
  if (problem.error === "access_denied")
    return sentence("You did not agree at {provider}, so you are not signed in.", { provider });
  if (problem instanceof TypeError || problem.code === "OAUTH_TIMEOUT") return unreachableText(provider);
  switch (findFailedClaim(problem)) {
    case "nonce":
      return sentence("The answer of {provider} belongs to another sign-in. Please start again.", {
        provider,
      });
    case "aud":
    case "azp":
    case "iss":
      return sentence(
        "The answer of {provider} is meant for another program, so it was refused. Tell an administrator: the provider may be set up wrongly.",
        { provider },
      );
    case "exp":
    case "nbf":
    case "iat":
      return sentence(
        "The answer of {provider} is not valid at this time. Please try again; if that does not help, tell an administrator that a clock may be wrong.",
        { provider },
      );
    default:
      return sentence(
        "{provider} did not sign you in. Please try again; the server's log says why it was refused.",
        { provider },
      );
  }
}

export const unreachableText = (provider: string): Sentence =>
  sentence("{provider} cannot be reached just now. Try again in a moment, or sign in another way.", {
    provider,
  });

/** The problem with its cause, for the log. */
export function formatProblem({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
