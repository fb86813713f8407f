// Written by `npm run generate` from texts.json.
import type { CompiledMessage } from "@lingui/message-utils/compileMessage";

export interface Texts {
  Save: { args: null; marks: never };
  "Sign in": { args: null; marks: never };
  "Email address": { args: null; marks: never };
  Password: { args: null; marks: never };
  Code: { args: null; marks: never };
  "Sign in to {organization}": { args: { organization: string }; marks: never };
  "Signing in …": { args: null; marks: never };
  "No password yet? Ask an administrator for an invitation or a link for signing in.": {
    args: null;
    marks: never;
  };
  "Or try it as": { args: null; marks: never };
  "The server cannot be reached. Please try again.": { args: null; marks: never };
  "The address or the password is wrong.": { args: null; marks: never };
  "Signing in failed. Please try again.": { args: null; marks: never };
  "Enter your code": { args: null; marks: never };
  "Your authenticator app shows it. A recovery code works, too.": { args: null; marks: never };
  "Neither app nor recovery code at hand? An administrator can help.": { args: null; marks: never };
  "Set up two-step sign-in": { args: null; marks: never };
  "This organization asks for it. Scan this with an authenticator app, and enter the code that the app shows.": {
    args: null;
    marks: never;
  };
  "QR code for your authenticator app": { args: null; marks: never };
  "Or type this key, or <link>open an app on this device</link>.": { args: null; marks: "link" };
  "Keep your recovery codes": { args: null; marks: never };
  "Each signs you in once if you lose your app. They are not shown again.": { args: null; marks: never };
  "Recovery codes": { args: null; marks: never };
  "I have kept them": { args: null; marks: never };
  "New password – {organization}": { args: { organization: string }; marks: never };
  "Forgot your password?": { args: null; marks: never };
  "Enter the address of your account, and we send you a link to choose a new one.": {
    args: null;
    marks: never;
  };
  "Send the link": { args: null; marks: never };
  "Back to signing in": { args: null; marks: never };
  "Look into your mail": { args: null; marks: never };
  "If {email} belongs to an account here, a mail with a link is on its way. The link works once, within an hour.": {
    args: { email: string };
    marks: never;
  };
  "Nothing there? Look into the spam folder, or ask an administrator for a link.": {
    args: null;
    marks: never;
  };
  "Choose a new password": { args: null; marks: never };
  "For the account {email}. All browsers and apps that are signed in to it are signed out.": {
    args: { email: string };
    marks: never;
  };
  "New password": { args: null; marks: never };
  "At least {min, number} characters. A few unrelated words are easy to remember and hard to guess.": {
    args: { min: number };
    marks: never;
  };
  "Your password is changed": { args: null; marks: never };
  "You can sign in with it now.": { args: null; marks: never };
  "Please wait a while": { args: null; marks: never };
  "This link does not work": { args: null; marks: never };
  "Ask for a new link": { args: null; marks: never };
  "This chat needs JavaScript, which is switched off in this browser.": { args: null; marks: never };
  "Not found": { args: null; marks: never };
  "There is nothing at this address": { args: null; marks: never };
  "The link may be incomplete, or what it led to is gone.": { args: null; marks: never };
  "Open the chat": { args: null; marks: never };
  "Scan it with your app, or type this key: <key></key>": { args: null; marks: "key" };
  "Open the app on this device": { args: null; marks: never };
  "Your recovery codes": { args: null; marks: never };
  "I have kept them: open the chat": { args: null; marks: never };
  "Sign in as {name}": { args: { name: string }; marks: never };
  "This link works once. You stay signed in in this browser until you sign out.": {
    args: null;
    marks: never;
  };
  "You cannot sign in with this link": { args: null; marks: never };
  "Ask the person who gave it to you for a new one. With a password you can <link>sign in here</link>.": {
    args: null;
    marks: "link";
  };
}

export const english: Readonly<Record<string, CompiledMessage>> = {
  "Sign in to {organization}": ["Sign in to ", ["organization"]],
  "Or type this key, or <link>open an app on this device</link>.": [
    "Or type this key, or <link>open an app on this device</link>.",
  ],
  "New password – {organization}": ["New password – ", ["organization"]],
  "If {email} belongs to an account here, a mail with a link is on its way. The link works once, within an hour.":
    [
      "If ",
      ["email"],
      " belongs to an account here, a mail with a link is on its way. The link works once, within an hour.",
    ],
  "For the account {email}. All browsers and apps that are signed in to it are signed out.": [
    "For the account ",
    ["email"],
    ". All browsers and apps that are signed in to it are signed out.",
  ],
  "At least {min, number} characters. A few unrelated words are easy to remember and hard to guess.": [
    "At least ",
    ["min", "number"],
    " characters. A few unrelated words are easy to remember and hard to guess.",
  ],
  "Scan it with your app, or type this key: <key></key>": [
    "Scan it with your app, or type this key: <key></key>",
  ],
  "Sign in as {name}": ["Sign in as ", ["name"]],
  "Ask the person who gave it to you for a new one. With a password you can <link>sign in here</link>.": [
    "Ask the person who gave it to you for a new one. With a password you can <link>sign in here</link>.",
  ],
};
