// Why a provider's answer was not accepted: for the person, and for the log.

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
export function refusalOf(problem: Problem, provider: string): string {
  if (problem.error === "access_denied") return `You did not agree at ${provider}, so you are not signed in.`;
  if (problem instanceof TypeError || problem.code === "OAUTH_TIMEOUT") return unreachableText(provider);
  switch (findFailedClaim(problem)) {
    case "nonce":
      return `The answer of ${provider} belongs to another sign-in. Please start again.`;
    case "aud":
    case "azp":
    case "iss":
      return `The answer of ${provider} is meant for another program, so it was refused. Tell an administrator: the provider may be set up wrongly.`;
    case "exp":
    case "nbf":
    case "iat":
      return `The answer of ${provider} is not valid at this time. Please try again; if that does not help, tell an administrator that a clock may be wrong.`;
    default:
      return `${provider} did not sign you in. Please try again; the server's log says why it was refused.`;
  }
}

export const unreachableText = (provider: string): string =>
  `${provider} cannot be reached just now. Try again in a moment, or sign in another way.`;

/** The problem with its cause, for the log. */
export function formatProblem({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
