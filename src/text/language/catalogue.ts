// Written by `npm run generate` from texts.json.
import type { CompiledMessage } from "@lingui/message-utils/compileMessage";

export interface Texts {
  Save: { args: null; marks: never };
  "Sign in": { args: null; marks: never };
  "Email address": { args: null; marks: never };
  Password: { args: null; marks: never };
  Code: { args: null; marks: never };
  Cancel: { args: null; marks: never };
  Delete: { args: null; marks: never };
  Copy: { args: null; marks: never };
  "Copy link": { args: null; marks: never };
  "Link copied.": { args: null; marks: never };
  Undo: { args: null; marks: never };
  Edit: { args: null; marks: never };
  Channel: { args: null; marks: never };
  Topic: { args: null; marks: never };
  Emoji: { args: null; marks: never };
  Bot: { args: null; marks: never };
  Group: { args: null; marks: never };
  "Unknown person": { args: null; marks: never };
  Somebody: { args: null; marks: never };
  "The server cannot be reached.": { args: null; marks: never };
  "New message": { args: null; marks: never };
  "Mark all as read": { args: null; marks: never };
  Follow: { args: null; marks: never };
  Mute: { args: null; marks: never };
  Poll: { args: null; marks: never };
  "List of tasks": { args: null; marks: never };
  Drafts: { args: null; marks: never };
  "Scheduled messages": { args: null; marks: never };
  Reminders: { args: null; marks: never };
  Star: { args: null; marks: never };
  "Remove the star": { args: null; marks: never };
  Quote: { args: null; marks: never };
  "Choose a channel": { args: null; marks: never };
  Messages: { args: null; marks: never };
  Channels: { args: null; marks: never };
  Topics: { args: null; marks: never };
  "Direct messages": { args: null; marks: never };
  Inbox: { args: null; marks: never };
  "Recent conversations": { args: null; marks: never };
  Mentions: { args: null; marks: never };
  Starred: { args: null; marks: never };
  "Combined feed": { args: null; marks: never };
  Settings: { args: null; marks: never };
  Organization: { args: null; marks: never };
  "Invite people": { args: null; marks: never };
  "Keyboard shortcuts": { args: null; marks: never };
  "Sign out": { args: null; marks: never };
  Search: { args: null; marks: never };
  Unmute: { args: null; marks: never };
  Muted: { args: null; marks: never };
  "Try again": { args: null; marks: never };
  Show: { args: null; marks: never };
  More: { args: null; marks: never };
  Discard: { args: null; marks: never };
  All: { args: null; marks: never };
  You: { args: null; marks: never };
  you: { args: null; marks: never };
  "unknown channel": { args: null; marks: never };
  "Unknown channel": { args: null; marks: never };
  "New topic": { args: null; marks: never };
  "New channel": { args: null; marks: never };
  "Mark as read": { args: null; marks: never };
  Leave: { args: null; marks: never };
  React: { args: null; marks: never };
  Reactions: { args: null; marks: never };
  "About this channel": { args: null; marks: never };
  "{count, plural, one {# person} other {# people}}": { args: { count: number }; marks: never };
  "Set a status": { args: null; marks: never };
  "Nothing found": { args: null; marks: never };
  Join: { args: null; marks: never };
  "You are in no channel yet.": { args: null; marks: never };
  "Write a message": { args: null; marks: never };
  Close: { args: null; marks: never };
  Continue: { args: null; marks: never };
  "(you)": { args: null; marks: never };
  bot: { args: null; marks: never };
  Deactivated: { args: null; marks: never };
  Owner: { args: null; marks: never };
  Administrator: { args: null; marks: never };
  Moderator: { args: null; marks: never };
  Member: { args: null; marks: never };
  Guest: { args: null; marks: never };
  Person: { args: null; marks: never };
  "Direct message": { args: null; marks: never };
  People: { args: null; marks: never };
  Reply: { args: null; marks: never };
  "{count, plural, one {and # other} other {and # others}}": { args: { count: number }; marks: never };
  Message: { args: null; marks: never };
  Remove: { args: null; marks: never };
  "Remove {name}": { args: { name: string }; marks: never };
  Add: { args: null; marks: never };
  Name: { args: null; marks: never };
  Picture: { args: null; marks: never };
  "Upload a picture": { args: null; marks: never };
  Notifications: { args: null; marks: never };
  "Followed topics": { args: null; marks: never };
  Always: { args: null; marks: never };
  Never: { args: null; marks: never };
  Everyone: { args: null; marks: never };
  Nobody: { args: null; marks: never };
  Administrators: { args: null; marks: never };
  "Members, not guests": { args: null; marks: never };
  "Find a channel": { args: null; marks: never };
  "Mute {name}": { args: { name: string }; marks: never };
  Deactivate: { args: null; marks: never };
  "Mark messages as read": { args: null; marks: never };
  Open: { args: null; marks: never };
  "Saved.": { args: null; marks: never };
  Description: { args: null; marks: never };
  Folder: { args: null; marks: never };
  "Add people": { args: null; marks: never };
  Groups: { args: null; marks: never };
  "Signing in": { args: null; marks: never };
  Members: { args: null; marks: never };
  Guests: { args: null; marks: never };
  Moderators: { args: null; marks: never };
  Owners: { args: null; marks: never };
  "Copy the link": { args: null; marks: never };
  Invite: { args: null; marks: never };
  Archive: { args: null; marks: never };
  "{name} (you)": { args: { name: string }; marks: never };
  "{channel} › {topic}": { args: { channel: string; topic: string }; marks: never };
  Today: { args: null; marks: never };
  Yesterday: { args: null; marks: never };
  "Tomorrow, {time}": { args: { time: string }; marks: never };
  "In an hour": { args: null; marks: never };
  "This afternoon": { args: null; marks: never };
  Tonight: { args: null; marks: never };
  "Tomorrow morning": { args: null; marks: never };
  "On Monday morning": { args: null; marks: never };
  Dismiss: { args: null; marks: never };
  Active: { args: null; marks: never };
  Idle: { args: null; marks: never };
  Offline: { args: null; marks: never };
  Previous: { args: null; marks: never };
  Next: { args: null; marks: never };
  Download: { args: null; marks: never };
  Suggestions: { args: null; marks: never };
  "Loading …": { args: null; marks: never };
  "general chat": { args: null; marks: never };
  "{count, plural, one {# suggestion} other {# suggestions}}": { args: { count: number }; marks: never };
  resolved: { args: null; marks: never };
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
  "{organization} is getting ready": { args: { organization: string }; marks: never };
  "The server has no certificate for safe connections yet. Please try again in a few minutes.": {
    args: null;
    marks: never;
  };
  "If this is your server: 'confab doctor' and the server's log say what is missing.": {
    args: null;
    marks: never;
  };
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
  "Confirm your new address": { args: null; marks: never };
  "The account of {full_name}, {email}, gets the address {new_email}. Confirm it only if this is your account.": {
    args: { full_name: string; email: string; new_email: string };
    marks: never;
  };
  Confirm: { args: null; marks: never };
  "A program asked for this change, so the password is needed too. Or <link>sign in</link>, and open the link again.": {
    args: null;
    marks: "link";
  };
  "Your address is changed": { args: null; marks: never };
  "From now on, sign in as {email}.": { args: { email: string }; marks: never };
  "Go on": { args: null; marks: never };
  "New address": { args: null; marks: never };
  'The address can be changed in the settings, under "Account".': { args: null; marks: never };
  Unsubscribe: { args: null; marks: never };
  "No more mails?": { args: null; marks: never };
  "{organization} will no longer send you mails about messages that you have missed.": {
    args: { organization: string };
    marks: never;
  };
  "{organization} will no longer send you mails about new logins to your account.": {
    args: { organization: string };
    marks: never;
  };
  "You are unsubscribed": { args: null; marks: never };
  "{organization} no longer sends you mails about messages that you have missed. Your settings there turn them on again.": {
    args: { organization: string };
    marks: never;
  };
  "{organization} no longer sends you mails about new logins to your account. Your settings there turn them on again.": {
    args: { organization: string };
    marks: never;
  };
  "That did not work": { args: null; marks: never };
  "Join {organization}": { args: { organization: string }; marks: never };
  "You have been invited.": { args: null; marks: never };
  "You have been invited as a guest.": { args: null; marks: never };
  "You have been invited as a moderator.": { args: null; marks: never };
  "You have been invited as an administrator.": { args: null; marks: never };
  "You have been invited as an owner.": { args: null; marks: never };
  "Sign in to join.": { args: null; marks: never };
  "Sign in as {email} to join.": { args: { email: string }; marks: never };
  "Tell us who you are, and you are in.": { args: null; marks: never };
  "Sign in, or tell us who you are, and you are in.": { args: null; marks: never };
  "Your name": { args: null; marks: never };
  "The invitation is for this address.": { args: null; marks: never };
  Welcome: { args: null; marks: never };
  "Your account is made": { args: null; marks: never };
  "Signing in takes a second step here: a code of an authenticator app. Have your phone at hand, and sign in to set it up.": {
    args: null;
    marks: never;
  };
  Invitation: { args: null; marks: never };
  "You cannot join with this link": { args: null; marks: never };
  "Whoever invited you can send you a new invitation.": { args: null; marks: never };
  "It is you": { args: null; marks: never };
  "Close this window, and go on in the one where you were asked.": { args: null; marks: never };
  "You are not signed in": { args: null; marks: never };
  "Is this your account?": { args: null; marks: never };
  "There is an account with the address {email} already, and nobody has proved that the address belongs to it. Enter its password, and from now on {label} signs you in to it.": {
    args: { email: string; label: string };
    marks: never;
  };
  "If you do not know it, <link>choose a new one</link>, and sign in again.": { args: null; marks: "link" };
  "If the account is not yours, somebody else uses your address: tell an administrator.": {
    args: null;
    marks: never;
  };
  "Set up your chat": { args: null; marks: never };
  "It is new, and nobody has been here before. You become its owner.": { args: null; marks: never };
  "API usage exceeded rate limit. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.": {
    args: { seconds: number };
    marks: never;
  };
  "There were too many attempts. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.": {
    args: { seconds: number };
    marks: never;
  };
  "There were too many codes. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.": {
    args: { seconds: number };
    marks: never;
  };
  "You have changed your address too often. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.": {
    args: { seconds: number };
    marks: never;
  };
  "The server could not save this just now. Please try again.": { args: null; marks: never };
  "Something went wrong in the server. Its log has the error.": { args: null; marks: never };
  "Your username or password is incorrect": { args: null; marks: never };
  "Wrong password!": { args: null; marks: never };
  "Account is deactivated": { args: null; marks: never };
  "This organization has been deactivated": { args: null; marks: never };
  "This organization does not use passwords. Sign in by the button of its provider.": {
    args: null;
    marks: never;
  };
  "This code is wrong or was used before. Enter the one that your app shows now.": {
    args: null;
    marks: never;
  };
  "Enter the code that your authenticator app shows, or one of your recovery codes.": {
    args: null;
    marks: never;
  };
  "This organization demands two-step sign-in. Set it up with an authenticator app, and enter the code that it shows.": {
    args: null;
    marks: never;
  };
  "Two-step sign-in is on already.": { args: null; marks: never };
  "A code has at most 100 characters.": { args: null; marks: never };
  "Show first that it is you, and try again.": { args: null; marks: never };
  "This code is not right, or older than ten minutes.": { args: null; marks: never };
  "Name too short!": { args: null; marks: never };
  "Name too long!": { args: null; marks: never };
  "Invalid characters in name!": { args: null; marks: never };
  "Invalid format!": { args: null; marks: never };
  "This name is already in use in this organization.": { args: null; marks: never };
  "Email address is too long.": { args: null; marks: never };
  "Enter a valid email address.": { args: null; marks: never };
  "Email ''{address}'' already in use": { args: { address: string }; marks: never };
  "Only addresses of this organization's domains may join, not ''{email}''.": {
    args: { email: string };
    marks: never;
  };
  "''{email}'' is a disposable address and may not join. Please use a permanent one.": {
    args: { email: string };
    marks: never;
  };
  "A password has at least 6 characters.": { args: null; marks: never };
  "A password has at most 100 characters.": { args: null; marks: never };
  "A password is one line, without characters that nobody can type.": { args: null; marks: never };
  "This password is easy to guess. Choose a longer one, such as a few unrelated words.": {
    args: null;
    marks: never;
  };
  "No such invitation. Please check that the link is complete.": { args: null; marks: never };
  "This invitation has already been used.": { args: null; marks: never };
  "This invitation has been revoked.": { args: null; marks: never };
  "This invitation has expired.": { args: null; marks: never };
  "This invitation is for the address {email}.": { args: { email: string }; marks: never };
  "This link no longer works: it was used, it is too old, or it is not complete. Ask for a new one.": {
    args: null;
    marks: never;
  };
  "This server sends no mail. Ask an administrator for a link: 'confab user reset-link' makes one.": {
    args: null;
    marks: never;
  };
  "This link for unsubscribing does not work. Was it copied in full?": { args: null; marks: never };
  "This link no longer works: it was used, it is too old, another change was asked for, or it is not complete.": {
    args: null;
    marks: never;
  };
  "To change the address, give the password of {full_name}'s account.": {
    args: { full_name: string };
    marks: never;
  };
  "The address of a bot cannot be changed.": { args: null; marks: never };
  "Email address changes are disabled in this organization.": { args: null; marks: never };
  "No new address waits to be confirmed.": { args: null; marks: never };
  "This server sends no mail that could confirm your new address, and you have no password. Ask an owner of the organization to change it.": {
    args: null;
    marks: never;
  };
  "To change your address, also give your password: this server sends no mail that could confirm the new one.": {
    args: null;
    marks: never;
  };
  "{provider} did not say who you are. Tell an administrator.": { args: { provider: string }; marks: never };
  "{provider} did not send your email address.": { args: { provider: string }; marks: never };
  "{provider} has not verified that {email} is your address. Have it verified there, and sign in again.": {
    args: { provider: string; email: string };
    marks: never;
  };
  "There is no account for {email}, and joining needs an invitation. Ask an administrator for one.": {
    args: { email: string };
    marks: never;
  };
  "{provider} did not ask you who you are.": { args: { provider: string }; marks: never };
  "There is an account with the address {email} already, but nobody has proved that the address belongs to it. If it is yours, choose a password for it by \"Forgot your password?\", and sign in again. Or ask whoever runs the server: ''confab user address {email} --proved'' lets you in.": {
    args: { email: string };
    marks: never;
  };
  "There is an account with the address {email} already, but nobody has proved that the address belongs to it. Ask whoever runs the server: ''confab user address {email} --proved'' lets you in.": {
    args: { email: string };
    marks: never;
  };
  "You did not agree at {provider}, so you are not signed in.": { args: { provider: string }; marks: never };
  "The answer of {provider} belongs to another sign-in. Please start again.": {
    args: { provider: string };
    marks: never;
  };
  "The answer of {provider} is meant for another program, so it was refused. Tell an administrator: the provider may be set up wrongly.": {
    args: { provider: string };
    marks: never;
  };
  "The answer of {provider} is not valid at this time. Please try again; if that does not help, tell an administrator that a clock may be wrong.": {
    args: { provider: string };
    marks: never;
  };
  "{provider} did not sign you in. Please try again; the server's log says why it was refused.": {
    args: { provider: string };
    marks: never;
  };
  "{provider} cannot be reached just now. Try again in a moment, or sign in another way.": {
    args: { provider: string };
    marks: never;
  };
  "This organization does not use single sign-on.": { args: null; marks: never };
  "You are no longer signed in here: sign in again.": { args: null; marks: never };
  "You signed in as somebody else there. Sign in with your own account.": { args: null; marks: never };
  "The account has changed in the meantime. Please start again.": { args: null; marks: never };
  "This address belongs to a bot, which cannot sign in.": { args: null; marks: never };
  "Your account is deactivated. An administrator can change that.": { args: null; marks: never };
  "This sign-in was started in another browser, or took longer than ten minutes. Please start again.": {
    args: null;
    marks: never;
  };
  "This way of signing in does not exist. Its name may have changed: start at the sign-in page.": {
    args: null;
    marks: never;
  };
  "The link was used, is older than an hour, or is not complete. At the server's machine, 'confab user login-link EMAIL' makes another one.": {
    args: null;
    marks: never;
  };
  "The server's other address does not answer, and you could not stay signed in at this one. Please sign in.": {
    args: null;
    marks: never;
  };
  "Private data is exported only of people who agree to it.": { args: null; marks: never };
  "This link only signs in: the organization and its owner have their names.": { args: null; marks: never };
  "<sender></sender> <link>said</link>:": { args: null; marks: "sender" | "link" };
  "Message {people}": { args: { people: string }; marks: never };
  "Message to {place}": { args: { place: string }; marks: never };
  "to <place>{place}</place>": { args: { place: string }; marks: "place" };
  "Stop writing": { args: null; marks: never };
  "Go on writing": { args: null; marks: never };
  Preview: { args: null; marks: never };
  "{count} left": { args: { count: string }; marks: never };
  Send: { args: null; marks: never };
  "Files are still being uploaded.": { args: null; marks: never };
  "Subscribe {name} and send": { args: { name: string }; marks: never };
  "Subscribe them and send": { args: null; marks: never };
  "Send anyway": { args: null; marks: never };
  "{count, plural, one {This notifies # person of {channel}.} other {This notifies all # people of {channel}.}}": {
    args: { count: number; channel: string };
    marks: never;
  };
  "{count, plural, one {{names} is not subscribed to {channel} and will not see this.} other {{names} are not subscribed to {channel} and will not see this.}}": {
    args: { count: number; names: string; channel: string };
    marks: never;
  };
  "{count, plural, one {{names} is not subscribed to {channel} and may not notice this.} other {{names} are not subscribed to {channel} and may not notice this.}}": {
    args: { count: number; names: string; channel: string };
    marks: never;
  };
  "This channel does not exist, or you may not see it.": { args: null; marks: never };
  "This channel is archived: nobody can write here any more.": { args: null; marks: never };
  "You may read this channel, but not write in it.": { args: null; marks: never };
  "{name} is writing …": { args: { name: string }; marks: never };
  "{first} and {second} are writing …": { args: { first: string; second: string }; marks: never };
  "Several people are writing …": { args: null; marks: never };
  "Your last message cannot be edited. {reason}": { args: { reason: string }; marks: never };
  "Sending in {seconds, plural, one {# second} other {# seconds}}": {
    args: { seconds: number };
    marks: never;
  };
  "Notify everyone in this channel": { args: null; marks: never };
  "Notify everyone": { args: null; marks: never };
  "Notify who took part in this topic": { args: null; marks: never };
  "Say what you do: “/me waves”": { args: null; marks: never };
  "Ask, one answer on each line": { args: null; marks: never };
  "A list of tasks, one on each line": { args: null; marks: never };
  "To people": { args: null; marks: never };
  "Where it goes": { args: null; marks: never };
  Write: { args: null; marks: never };
  To: { args: null; marks: never };
  "What it is about. An existing topic goes on, another name starts a new one.": { args: null; marks: never };
  "Send later": { args: null; marks: never };
  "{day}, {time}": { args: { day: string; time: string }; marks: never };
  "At another time …": { args: null; marks: never };
  Schedule: { args: null; marks: never };
  "Scheduled for {time}.": { args: { time: string }; marks: never };
  "Day and time": { args: null; marks: never };
  "In your time zone.": { args: null; marks: never };
  "Choose a day and a time.": { args: null; marks: never };
  "This time has passed.": { args: null; marks: never };
  Formatting: { args: null; marks: never };
  "More formatting": { args: null; marks: never };
  "Attach files": { args: null; marks: never };
  Bold: { args: null; marks: never };
  Italic: { args: null; marks: never };
  Strikethrough: { args: null; marks: never };
  Link: { args: null; marks: never };
  "Bulleted list": { args: null; marks: never };
  "Numbered list": { args: null; marks: never };
  Spoiler: { args: null; marks: never };
  Formula: { args: null; marks: never };
  Uploads: { args: null; marks: never };
  "Uploading {name}": { args: { name: string }; marks: never };
  "Uploading {name} …": { args: { name: string }; marks: never };
  "Dismiss {name}": { args: { name: string }; marks: never };
  "Cancel {name}": { args: { name: string }; marks: never };
  "Cancelled.": { args: null; marks: never };
  "Your files take up {percent} of the space that you may use: {used} of {quota}.": {
    args: { percent: string; used: string; quota: string };
    marks: never;
  };
  "The organization’s files take up {percent} of the space that they may use: {used} of {quota}.": {
    args: { percent: string; used: string; quota: string };
    marks: never;
  };
  "Once it is used up, uploads are refused.": { args: null; marks: never };
  "The file could not be stored.": { args: null; marks: never };
  "The picture could not be stored.": { args: null; marks: never };
  "The channel itself": { args: null; marks: never };
  "Code|of a program": { args: null; marks: never };
  "In a channel|where it goes": { args: null; marks: never };
  "Another time": { args: null; marks: never };
  "{send} sends": { args: { send: string }; marks: never };
  "Which key sends": { args: null; marks: never };
  "{send} sends, {line} starts a line": { args: { send: string; line: string }; marks: never };
  "Drop files to add them to your message": { args: null; marks: never };
  "This is too long for a message.": { args: null; marks: never };
  "Add it as a file": { args: null; marks: never };
  "Private channel": { args: null; marks: never };
  "There is no channel of this name in which you may write.": { args: null; marks: never };
  "Edit message": { args: null; marks: never };
  "Collapsed message: show it": { args: null; marks: never };
  "Show all": { args: null; marks: never };
  "Show less": { args: null; marks: never };
  "Mark as unread from here": { args: null; marks: never };
  "Remind me of this …": { args: null; marks: never };
  "Remind me of this": { args: null; marks: never };
  "Remind me": { args: null; marks: never };
  "You are reminded {time}.": { args: { time: string }; marks: never };
  "Move …": { args: null; marks: never };
  "Show in full": { args: null; marks: never };
  Collapse: { args: null; marks: never };
  "Edits of this message": { args: null; marks: never };
  "Who has read this": { args: null; marks: never };
  "{count, plural, one {Read by # person} other {Read by # people}}": {
    args: { count: number };
    marks: never;
  };
  "Nobody yet, or nobody who shows it.": { args: null; marks: never };
  "Who reacted": { args: null; marks: never };
  "Nobody has reacted yet.": { args: null; marks: never };
  "What was typed": { args: null; marks: never };
  "Copy link to message": { args: null; marks: never };
  "Report …": { args: null; marks: never };
  Report: { args: null; marks: never };
  "Report to the moderators": { args: null; marks: never };
  "Only the moderators learn that you reported this message of {name}.": {
    args: { name: string };
    marks: never;
  };
  Reason: { args: null; marks: never };
  Spam: { args: null; marks: never };
  Harassment: { args: null; marks: never };
  "Inappropriate content": { args: null; marks: never };
  "Against the organization's customs": { args: null; marks: never };
  "Something else": { args: null; marks: never };
  "What should they know?": { args: null; marks: never };
  "The moderators have been told.": { args: null; marks: never };
  "Delete …": { args: null; marks: never };
  "Delete this message?": { args: null; marks: never };
  "It disappears for everyone, and cannot be brought back.": { args: null; marks: never };
  "Delete the topic …": { args: null; marks: never };
  "Delete the topic": { args: null; marks: never };
  "Delete this topic?": { args: null; marks: never };
  "All messages in <place>{place}</place> disappear for everyone, and cannot be brought back.": {
    args: { place: string };
    marks: "place";
  };
  "The topic {topic} is deleted.": { args: { topic: string }; marks: never };
  "another channel": { args: null; marks: never };
  "{who} wrote, {time}": { args: { who: string; time: string }; marks: never };
  "{who} edited, {time}": { args: { who: string; time: string }; marks: never };
  "{who} moved to {place}, {time}": { args: { who: string; place: string; time: string }; marks: never };
  "{who} edited and moved to {place}, {time}": {
    args: { who: string; place: string; time: string };
    marks: never;
  };
  "Rename or move …": { args: null; marks: never };
  "Rename or move the topic": { args: null; marks: never };
  "Move to another topic": { args: null; marks: never };
  Move: { args: null; marks: never };
  "What moves": { args: null; marks: never };
  "This message": { args: null; marks: never };
  "This message and those after it": { args: null; marks: never };
  "The whole topic": { args: null; marks: never };
  "Say so in the new topic": { args: null; marks: never };
  "Say so in the old topic": { args: null; marks: never };
  "Choose another topic or another channel.": { args: null; marks: never };
  "Moved.": { args: null; marks: never };
  "Go there": { args: null; marks: never };
  "Mark the topic as open again": { args: null; marks: never };
  "Mark the topic as resolved": { args: null; marks: never };
  "Pin to the top": { args: null; marks: never };
  "Settings of the channel": { args: null; marks: never };
  "Leave the channel": { args: null; marks: never };
  "You left {channel}.": { args: { channel: string }; marks: never };
  "Message|noun": { args: null; marks: never };
  "Other reactions": { args: null; marks: never };
  "Select text …": { args: null; marks: never };
  "Select text": { args: null; marks: never };
  "Copy all": { args: null; marks: never };
  "Copied.": { args: null; marks: never };
  "{count, plural, one {Marked # message as read.} other {Marked # messages as read.}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {Mark # conversation as read?} other {Mark # conversations as read?}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {# message is unread there.} other {# messages are unread there.}}": {
    args: { count: number };
    marks: never;
  };
  "Copy text": { args: null; marks: never };
  "Text copied.": { args: null; marks: never };
  "No recipient yet": { args: null; marks: never };
  "No drafts": { args: null; marks: never };
  "What you write and do not send is kept here, on all your devices.": { args: null; marks: never };
  "Delete the draft": { args: null; marks: never };
  "Nothing is scheduled": { args: null; marks: never };
  "Write a message and choose a time beside the button that sends it.": { args: null; marks: never };
  "Could not be sent": { args: null; marks: never };
  "Do not send it": { args: null; marks: never };
  "No reminders": { args: null; marks: never };
  "Choose “Remind me” in the menu of a message to be told of it again.": { args: null; marks: never };
  "Forget the reminder": { args: null; marks: never };
  "Poll: {question}": { args: { question: string }; marks: never };
  "Add an option": { args: null; marks: never };
  "{count, plural, one {# person voted} other {# people voted}}": { args: { count: number }; marks: never };
  "{count, plural, one {#<rest> vote: {names}</rest>} other {#<rest> votes: {names}</rest>}}": {
    args: { count: number; names: string };
    marks: "rest";
  };
  "{count, plural, one {#<rest> vote</rest>} other {#<rest> votes</rest>}}": {
    args: { count: number };
    marks: "rest";
  };
  "List of tasks: {title}": { args: { title: string }; marks: never };
  "Add a task": { args: null; marks: never };
  "{done} of {count} done": { args: { done: string; count: string }; marks: never };
  Conversations: { args: null; marks: never };
  "You and the organization": { args: null; marks: never };
  "{name}, you are connected": { args: { name: string }; marks: never };
  "{name}, you are not connected": { args: { name: string }; marks: never };
  "Turn on notifications": { args: null; marks: never };
  "Go to or search": { args: null; marks: never };
  Views: { args: null; marks: never };
  Scheduled: { args: null; marks: never };
  "More views": { args: null; marks: never };
  "Fewer views": { args: null; marks: never };
  "New direct message": { args: null; marks: never };
  "Press + to write to somebody.": { args: null; marks: never };
  Fewer: { args: null; marks: never };
  "{count, plural, one {# more} other {# more}}": { args: { count: number }; marks: never };
  "Pinned channels": { args: null; marks: never };
  "Other channels": { args: null; marks: never };
  "Browse channels": { args: null; marks: never };
  "{count, plural, one {# muted or inactive} other {# muted or inactive}}": {
    args: { count: number };
    marks: never;
  };
  "Hide quiet channels": { args: null; marks: never };
  "New topic in {channel}": { args: { channel: string }; marks: never };
  "About {channel}": { args: { channel: string }; marks: never };
  "{count, plural, one {# topic} other {All # topics}}": { args: { count: number }; marks: never };
  followed: { args: null; marks: never };
  muted: { args: null; marks: never };
  "Here now": { args: null; marks: never };
  "{count, plural, one {{shown}<rest> unread</rest>} other {{shown}<rest> unread</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "{count, plural, one {{shown}<rest> mention</rest>} other {{shown}<rest> mentions</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "{count, plural, one {{shown}<rest> starred</rest>} other {{shown}<rest> starred</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "{count, plural, one {{shown}<rest> draft</rest>} other {{shown}<rest> drafts</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "{count, plural, one {{shown}<rest> scheduled</rest>} other {{shown}<rest> scheduled</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "{count, plural, one {{shown}<rest> reminder</rest>} other {{shown}<rest> reminders</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "Sent to {conversation}.": { args: { conversation: string }; marks: never };
  "Open the conversation": { args: null; marks: never };
  "Select a message to reply to it.": { args: null; marks: never };
  "Reply to <name>{people}</name>": { args: { people: string }; marks: "name" };
  "Reply in <name>{topic}</name>": { args: { topic: string }; marks: "name" };
  "You are looking around without an account. <link>Sign in</link> to write and to react.": {
    args: null;
    marks: "link";
  };
  "Nobody mentioned you yet": { args: null; marks: never };
  "Messages that mention you gather here.": { args: null; marks: never };
  "No starred messages": { args: null; marks: never };
  "Star a message to find it here again: the star is in its menu.": { args: null; marks: never };
  "Try other words, or fewer conditions.": { args: null; marks: never };
  "No messages": { args: null; marks: never };
  "Whatever is said here shows up at once.": { args: null; marks: never };
  "Search all public channels": { args: null; marks: never };
  "Topics of this channel": { args: null; marks: never };
  "All topics of this channel": { args: null; marks: never };
  "As the channel": { args: null; marks: never };
  Following: { args: null; marks: never };
  Unmuted: { args: null; marks: never };
  "Notifications of this topic": { args: null; marks: never };
  "Topic: {state}": { args: { state: string }; marks: never };
  "More about this topic": { args: null; marks: never };
  "There is nothing here": { args: null; marks: never };
  "The address leads to something that does not exist, or that you may not see.": {
    args: null;
    marks: never;
  };
  "This could not be loaded": { args: null; marks: never };
  "No messages yet": { args: null; marks: never };
  "Write the first one below.": { args: null; marks: never };
  "Loading messages": { args: null; marks: never };
  "Jump to newest": { args: null; marks: never };
  New: { args: null; marks: never };
  "From somebody you muted": { args: null; marks: never };
  "{name}, {time}": { args: { name: string; time: string }; marks: never };
  "Show the edits": { args: null; marks: never };
  edited: { args: null; marks: never };
  "Not sent. {reason}": { args: { reason: string }; marks: never };
  "{count, plural, one {# other} other {# others}}": { args: { count: number }; marks: never };
  "Waiting to be sent": { args: null; marks: never };
  "{people} reacted with {emoji}": { args: { people: string; emoji: string }; marks: never };
  "Next unread: <place>{conversation}</place>": { args: { conversation: string }; marks: "place" };
  "Jump to newest: {count, plural, one {# new message} other {# new messages}}": {
    args: { count: number };
    marks: never;
  };
  "Started by <person>{name}</person> in <channel>{channel}</channel>": {
    args: { name: string; channel: string };
    marks: "person" | "channel";
  };
  "{count, plural, one {# person has written} other {# people have written}}": {
    args: { count: number };
    marks: never;
  };
  "A new topic in <channel>{channel}</channel>. Write the first message below.": {
    args: { channel: string };
    marks: "channel";
  };
  "You see what was written since you joined.": { args: null; marks: never };
  "Notes to yourself: only you read what you write here.": { args: null; marks: never };
  "Only you and these people read what is written here.": { args: null; marks: never };
  "Only you and {name} read what is written here.": { args: { name: string }; marks: never };
  "Jump to a date": { args: null; marks: never };
  "Jump to a date …": { args: null; marks: never };
  Jump: { args: null; marks: never };
  Day: { args: null; marks: never };
  "Opens at the first message of that day, or at the next one after it.": { args: null; marks: never };
  "Mark everything as read": { args: null; marks: never };
  "All caught up": { args: null; marks: never };
  "Whatever you have not read yet gathers here.": { args: null; marks: never };
  "You are in no channel yet": { args: null; marks: never };
  "Find or start a channel": { args: null; marks: never };
  "There is no channel that you can write in": { args: null; marks: never };
  "Conversations are in channels. Whatever you have not read yet gathers here.": { args: null; marks: never };
  Unread: { args: null; marks: never };
  "With me": { args: null; marks: never };
  Direct: { args: null; marks: never };
  "Nothing here": { args: null; marks: never };
  "Conversations appear here as soon as somebody writes.": { args: null; marks: never };
  "This channel cannot be shown": { args: null; marks: never };
  "It does not exist, or you have no access to it.": { args: null; marks: never };
  "No topics yet": { args: null; marks: never };
  "A topic is one conversation in this channel.": { args: null; marks: never };
  "A topic is one conversation in this channel. Name the first one above.": { args: null; marks: never };
  "No topic has that in its name.": { args: null; marks: never };
  "No topic has that in its name. Press Enter to start it.": { args: null; marks: never };
  "{count, plural, one {# older topic: type a part of the name to find it.} other {# older topics: type a part of the name to find them.}}": {
    args: { count: number };
    marks: never;
  };
  "All messages of this channel": { args: null; marks: never };
  "Mute this channel": { args: null; marks: never };
  "Unmute this channel": { args: null; marks: never };
  "More about this channel": { args: null; marks: never };
  "Find a topic": { args: null; marks: never };
  "Find or start a topic": { args: null; marks: never };
  Joined: { args: null; marks: never };
  "Not joined": { args: null; marks: never };
  "{count, plural, one {# more: type a part of the name.} other {# more: type a part of the name.}}": {
    args: { count: number };
    marks: never;
  };
  "No channels yet": { args: null; marks: never };
  "Start the first channel": { args: null; marks: never };
  "A channel is the place for one subject, such as “launch” or “kitchen”.": { args: null; marks: never };
  "No channel found": { args: null; marks: never };
  "Try another word.": { args: null; marks: never };
  "You have joined all channels": { args: null; marks: never };
  "new this week": { args: null; marks: never };
  "{count, plural, one {# message a week} other {# messages a week}}": {
    args: { count: number };
    marks: never;
  };
  "No description": { args: null; marks: never };
  "Join {channel}": { args: { channel: string }; marks: never };
  "Leave {channel}": { args: { channel: string }; marks: never };
  "(no text)": { args: null; marks: never };
  "All|conversations": { args: null; marks: never };
  "<sender>{name}</sender>:": { args: { name: string }; marks: "sender" };
  "Poll: <question>{question}</question>": { args: { question: string }; marks: "question" };
  "Tasks: <title>{title}</title>": { args: { title: string }; marks: "title" };
  "One line for each conversation": { args: null; marks: never };
  "Two lines for each conversation": { args: null; marks: never };
  "Also: {people}": { args: { people: string }; marks: never };
  "In a topic": { args: null; marks: never };
  "Sent by somebody": { args: null; marks: never };
  "In a direct conversation with somebody": { args: null; marks: never };
  "In direct conversations that somebody is in": { args: null; marks: never };
  "That have something": { args: null; marks: never };
  "That are something": { args: null; marks: never };
  "In all public channels": { args: null; marks: never };
  "Search messages": { args: null; marks: never };
  "Words, or from: channel: topic: has: is:": { args: null; marks: never };
  "Clear the search": { args: null; marks: never };
  "Find what was said": { args: null; marks: never };
  "Type words, or narrow it down: <example>from:Mel channel:harbour has:link is:unread</example>": {
    args: null;
    marks: "example";
  };
  "In a channel": { args: null; marks: never };
  "That have a link": { args: null; marks: never };
  "That have an image": { args: null; marks: never };
  "That have an uploaded file": { args: null; marks: never };
  "That have a reaction": { args: null; marks: never };
  "That you starred": { args: null; marks: never };
  "That mention you": { args: null; marks: never };
  "That are unread": { args: null; marks: never };
  "In topics that you follow": { args: null; marks: never };
  "In resolved topics": { args: null; marks: never };
  "In direct conversations": { args: null; marks: never };
  "With one of your alert words": { args: null; marks: never };
  "In muted channels and topics": { args: null; marks: never };
  "{count, plural, one {# message found} other {# messages found}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {#+ messages found} other {#+ messages found}}": {
    args: { count: number };
    marks: never;
  };
  "Order of what was found": { args: null; marks: never };
  "From the newest": { args: null; marks: never };
  "From the oldest": { args: null; marks: never };
  "About the channel": { args: null; marks: never };
  Readers: { args: null; marks: never };
  Created: { args: null; marks: never };
  "{date} by {person}": { args: { date: string; person: string }; marks: never };
  "{count} a week": { args: { count: string }; marks: never };
  Unpin: { args: null; marks: never };
  "Pin to the top of the list": { args: null; marks: never };
  "Unmute the channel": { args: null; marks: never };
  "Mute the channel": { args: null; marks: never };
  "People in the channel": { args: null; marks: never };
  "In the channel": { args: null; marks: never };
  "People in the topic": { args: null; marks: never };
  "Wrote in this topic": { args: null; marks: never };
  "People in the conversation": { args: null; marks: never };
  "In the conversation": { args: null; marks: never };
  "About the person": { args: null; marks: never };
  "Find people": { args: null; marks: never };
  "{count} more: type a part of the name.": { args: { count: string }; marks: never };
  "This person cannot be shown": { args: null; marks: never };
  "There is no such account, or you have no access to it.": { args: null; marks: never };
  "{time} there": { args: { time: string }; marks: never };
  Email: { args: null; marks: never };
  "This group no longer exists.": { args: null; marks: never };
  "Open the group": { args: null; marks: never };
  "Nobody who is known here.": { args: null; marks: never };
  "Groups:": { args: null; marks: never };
  "{name} is no longer muted.": { args: { name: string }; marks: never };
  "{name} is muted.": { args: { name: string }; marks: never };
  "More about {name}": { args: { name: string }; marks: never };
  "Mention here": { args: null; marks: never };
  "Messages they sent": { args: null; marks: never };
  "Copy link to profile": { args: null; marks: never };
  "Turn off two-step sign-in …": { args: null; marks: never };
  "In a meeting": { args: null; marks: never };
  Commuting: { args: null; marks: never };
  "Out sick": { args: null; marks: never };
  "On holiday": { args: null; marks: never };
  "Working from home": { args: null; marks: never };
  "Your status": { args: null; marks: never };
  Clear: { args: null; marks: never };
  "What are you up to?": { args: null; marks: never };
  "Choose an emoji": { args: null; marks: never };
  "Appear offline": { args: null; marks: never };
  "Nobody sees when you are here.": { args: null; marks: never };
  "{name} signs in without a code now.": { args: { name: string }; marks: never };
  "Turn off two-step sign-in for {name}?": { args: { name: string }; marks: never };
  "Turn it off": { args: null; marks: never };
  "This is for somebody who has lost both their app and their recovery codes. Make sure that it is {name} who asks: their password alone signs them in until they set it up again.": {
    args: { name: string };
    marks: never;
  };
  "Owner|of a bot": { args: null; marks: never };
  "Joined|the organization": { args: null; marks: never };
  "{person} in {conversation}": { args: { person: string; conversation: string }; marks: never };
  "Notifications while the chat is closed need a connection with TLS (https://).": {
    args: null;
    marks: never;
  };
  "Add this chat to your home screen first: then it can notify you.": { args: null; marks: never };
  "This browser cannot notify you while the chat is closed.": { args: null; marks: never };
  "Notifications are blocked in this browser's settings for this site.": { args: null; marks: never };
  "The server is still starting. Try again in a moment.": { args: null; marks: never };
  "This browser notifies you while the chat is closed.": { args: null; marks: never };
  "This browser does not notify you while the chat is closed.": { args: null; marks: never };
  "Notify me in this browser while it is closed": { args: null; marks: never };
  "What you are notified of is chosen below.": { args: null; marks: never };
  "Not now": { args: null; marks: never };
  "Be notified of direct messages and mentions while you are elsewhere?": { args: null; marks: never };
  "Show in folder": { args: null; marks: never };
  "This message was deleted, or you may no longer see it.": { args: null; marks: never };
  "Search messages for “{words}”": { args: { words: string }; marks: never };
  people: { args: null; marks: never };
  channels: { args: null; marks: never };
  commands: { args: null; marks: never };
  messages: { args: null; marks: never };
  Command: { args: null; marks: never };
  "Go to": { args: null; marks: never };
  "Channel, topic, person, command or words": { args: null; marks: never };
  Found: { args: null; marks: never };
  "Nothing has that name.": { args: null; marks: never };
  "Go to anything": { args: null; marks: never };
  "Starred messages": { args: null; marks: never };
  "Notification settings": { args: null; marks: never };
  "Next unread conversation": { args: null; marks: never };
  "Next unread direct message": { args: null; marks: never };
  "Home view": { args: null; marks: never };
  "Star, or remove the star": { args: null; marks: never };
  "React with a thumb up": { args: null; marks: never };
  "Edit the message": { args: null; marks: never };
  "All that one can do with the message": { args: null; marks: never };
  "Who wrote it": { args: null; marks: never };
  "Open the message's conversation": { args: null; marks: never };
  "Mark the conversation as read": { args: null; marks: never };
  Conversation: { args: null; marks: never };
  "Follow the topic, or no longer": { args: null; marks: never };
  "Mute the topic, or no longer": { args: null; marks: never };
  "Topics of the channel": { args: null; marks: never };
  "People and details, beside the conversation": { args: null; marks: never };
  "Notify me in this browser while the chat is closed: on or off": { args: null; marks: never };
  Help: { args: null; marks: never };
  "Command in the list of Ctrl K and in that of shortcuts": { args: null; marks: never };
  "Search|verb": { args: null; marks: never };
  "Previous unread conversation": { args: null; marks: never };
  "Next conversation of the sidebar": { args: null; marks: never };
  "Previous conversation of the sidebar": { args: null; marks: never };
  "Leave the field, and go on by keyboard": { args: null; marks: never };
  "Next message, or next row of a list": { args: null; marks: never };
  "Previous message, or previous row of a list": { args: null; marks: never };
  "Newest message, or end of the list": { args: null; marks: never };
  "First message, or start of the list": { args: null; marks: never };
  "A page further": { args: null; marks: never };
  "A page back": { args: null; marks: never };
  "People and details": { args: null; marks: never };
  "Is it you?": { args: null; marks: never };
  "Send the code": { args: null; marks: never };
  "Your password": { args: null; marks: never };
  "Code from the mail": { args: null; marks: never };
  "Sign in at {provider}": { args: { provider: string }; marks: never };
  "Waiting until you have signed in there …": { args: null; marks: never };
  "This could hand your account to somebody else, and you signed in here more than ten minutes ago. Enter your password.": {
    args: null;
    marks: never;
  };
  "This could hand your account to somebody else, and you signed in here more than ten minutes ago. Sign in again, in another window.": {
    args: null;
    marks: never;
  };
  "This could hand your account to somebody else, and you signed in here more than ten minutes ago. A mail with a code shows that it is you.": {
    args: null;
    marks: never;
  };
  "This could hand your account to somebody else, and you signed in here more than ten minutes ago. You have no password, and this server sends no mail: ask its operator for a link to sign in again ('confab user login-link').": {
    args: null;
    marks: never;
  };
  "A mail with a code is on its way to you. It works for ten minutes.": { args: null; marks: never };
  "Your organization has turned off message editing.": { args: null; marks: never };
  "Messages can be edited for {duration}.": { args: { duration: string }; marks: never };
  "Polls and lists of tasks cannot be edited.": { args: null; marks: never };
  "Everyone here": { args: null; marks: never };
  "All members may read and join it. Guests see it when they are added.": { args: null; marks: never };
  "Who is in it": { args: null; marks: never };
  "Others do not learn that it exists. Who joins reads what was said before.": { args: null; marks: never };
  "Who is in it, from when they join": { args: null; marks: never };
  "Nobody reads what was said before they came.": { args: null; marks: never };
  "Everyone on the web": { args: null; marks: never };
  "Without an account, too.": { args: null; marks: never };
  "Your time zone is changed.": { args: null; marks: never };
  "Your settings say {setting}, this computer {zone}.": {
    args: { setting: string; zone: string };
    marks: never;
  };
  "Change the time zone": { args: null; marks: never };
  "Skip to the messages": { args: null; marks: never };
  "This topic is {topic} now.": { args: { topic: string }; marks: never };
  "This page could not be shown": { args: null; marks: never };
  "Load the page again": { args: null; marks: never };
  "The server may have been updated, or the connection was lost. Loading the page again usually helps. What you wrote and did not send is kept.": {
    args: null;
    marks: never;
  };
  "Go to the inbox": { args: null; marks: never };
  "Go to recent conversations": { args: null; marks: never };
  "Go to the combined feed": { args: null; marks: never };
  "{organization} could not be opened": { args: { organization: string }; marks: never };
  "Opening {organization}": { args: { organization: string }; marks: never };
  "The server could not answer.": { args: null; marks: never };
  "Try now": { args: null; marks: never };
  "No connection. What you write is kept.": { args: null; marks: never };
  "Back to the list": { args: null; marks: never };
  Notices: { args: null; marks: never };
  "A part of the name": { args: null; marks: never };
  "People found": { args: null; marks: never };
  "Nobody is called that.": { args: null; marks: never };
  "{title}, {number} of {count}": { args: { title: string; number: string; count: string }; marks: never };
  "Open in a new tab": { args: null; marks: never };
  "Fit to the window": { args: null; marks: never };
  "Show in its own size": { args: null; marks: never };
  "{time} in your time zone, {zone}": { args: { time: string; zone: string }; marks: never };
  "Picture: {name}": { args: { name: string }; marks: never };
  "Copy code": { args: null; marks: never };
  "Code, {language}": { args: { language: string }; marks: never };
  Copied: { args: null; marks: never };
  "Press Ctrl+C": { args: null; marks: never };
  "The browser refused to copy.": { args: null; marks: never };
  "The emoji could not be loaded. Close this and try again.": { args: null; marks: never };
  "Search emoji": { args: null; marks: never };
  "No emoji is called “{name}”.": { args: { name: string }; marks: never };
  "Often used": { args: null; marks: never };
  Custom: { args: null; marks: never };
  "Smileys & emotion": { args: null; marks: never };
  "People & body": { args: null; marks: never };
  "Animals & nature": { args: null; marks: never };
  "Food & drink": { args: null; marks: never };
  "Travel & places": { args: null; marks: never };
  Activities: { args: null; marks: never };
  Objects: { args: null; marks: never };
  Symbols: { args: null; marks: never };
  Flags: { args: null; marks: never };
  "Your password is changed. Your other devices have to sign in again.": { args: null; marks: never };
  "Your password is changed. Your other devices stay signed in.": { args: null; marks: never };
  "Password now": { args: null; marks: never };
  "Sign out my other devices": { args: null; marks: never };
  "Browsers and apps. The key for programs, below, stays.": { args: null; marks: never };
  "Change password": { args: null; marks: never };
  "Where you are signed in": { args: null; marks: never };
  "This browser": { args: null; marks: never };
  "{address}, last seen {time}": { args: { address: string; time: string }; marks: never };
  "Sign out {device}, {address}": { args: { device: string; address: string }; marks: never };
  "Sign out everywhere else": { args: null; marks: never };
  Leaving: { args: null; marks: never };
  "Deactivate my account …": { args: null; marks: never };
  "Deactivate your account?": { args: null; marks: never };
  "You are signed out everywhere. Your messages stay. Only an administrator can let you in again.": {
    args: null;
    marks: never;
  };
  "A message that holds one of these words counts as if it mentioned you.": { args: null; marks: never };
  Word: { args: null; marks: never };
  Browser: { args: null; marks: never };
  Sound: { args: null; marks: never };
  "While closed": { args: null; marks: never };
  "By channel": { args: null; marks: never };
  "{count, number} more: type a part of the name.": { args: { count: number }; marks: never };
  "{title} for {channel}": { args: { title: string; channel: string }; marks: never };
  "Muted people": { args: null; marks: never };
  "Nobody. Mute somebody by the menu of their card.": { args: null; marks: never };
  "Direct messages, mentions and alert words": { args: null; marks: never };
  "Notify me in the browser": { args: null; marks: never };
  "With a sound": { args: null; marks: never };
  "The sound": { args: null; marks: never };
  "Two notes": { args: null; marks: never };
  Chime: { args: null; marks: never };
  Ding: { args: null; marks: never };
  "No sound": { args: null; marks: never };
  "Notify me while the browser is closed": { args: null; marks: never };
  "Also while I am here": { args: null; marks: never };
  "When everyone is mentioned, too": { args: null; marks: never };
  "Show what direct messages say": { args: null; marks: never };
  "Otherwise a notification only names who wrote.": { args: null; marks: never };
  "All messages of channels": { args: null; marks: never };
  "By mail, while I am away": { args: null; marks: never };
  "Quote what was written": { args: null; marks: never };
  "Otherwise a mail only says that there is something to read.": { args: null; marks: never };
  "Wait before a mail is sent": { args: null; marks: never };
  "Name the organization in subjects": { args: null; marks: never };
  Automatically: { args: null; marks: never };
  "When somebody signs in as me from a new device": { args: null; marks: never };
  "An owner of the organization can change it.": { args: null; marks: never };
  "Only administrators can change addresses.": { args: null; marks: never };
  "Follow the link in the mail to {email}.": { args: { email: string }; marks: never };
  "Your address is changed.": { args: null; marks: never };
  "Password, to change the address": { args: null; marks: never };
  "Your new address {email} waits: follow the link in the mail to it, until {time}.": {
    args: { email: string; time: string };
    marks: never;
  };
  "Keep the old address": { args: null; marks: never };
  "Key for programs": { args: null; marks: never };
  "An app": { args: null; marks: never };
  "API keys": { args: null; marks: never };
  "With a key, programs act as you. Apps get theirs when you sign in; those also end with your password.": {
    args: null;
    marks: never;
  };
  "Your new key. It is not shown again.": { args: null; marks: never };
  "Key copied.": { args: null; marks: never };
  "Make a new key": { args: null; marks: never };
  "Make a new API key?": { args: null; marks: never };
  "Keys that you have now stop working: programs and apps have to be given the new one.": {
    args: null;
    marks: never;
  };
  "End this key?": { args: null; marks: never };
  "End the key": { args: null; marks: never };
  "{key}: what uses it stops working at once.": { args: { key: string }; marks: never };
  "Made {day}, never used": { args: { day: string }; marks: never };
  "Made {day}, last used {time}": { args: { day: string; time: string }; marks: never };
  "End {key}, made {day}": { args: { key: string; day: string }; marks: never };
  End: { args: null; marks: never };
  "Only administrators can change pictures.": { args: null; marks: never };
  "Only administrators can change names.": { args: null; marks: never };
  "Your name is changed.": { args: null; marks: never };
  "About you": { args: null; marks: never };
  Time: { args: null; marks: never };
  "Time zone": { args: null; marks: never };
  "Others see on your card what time it is where you are.": { args: null; marks: never };
  "Not said": { args: null; marks: never };
  Profile: { args: null; marks: never };
  Account: { args: null; marks: never };
  Appearance: { args: null; marks: never };
  "On this device": { args: null; marks: never };
  Writing: { args: null; marks: never };
  "Alert words": { args: null; marks: never };
  Privacy: { args: null; marks: never };
  "Time to take a message back": { args: null; marks: never };
  "A message is sent when this time is over.": { args: null; marks: never };
  "None: send at once": { args: null; marks: never };
  Density: { args: null; marks: never };
  Comfortable: { args: null; marks: never };
  Compact: { args: null; marks: never };
  "{size, number} px": { args: { size: number }; marks: never };
  Narrow: { args: null; marks: never };
  Normal: { args: null; marks: never };
  Wide: { args: null; marks: never };
  "Very wide": { args: null; marks: never };
  "Where I take part: write, react, vote": { args: null; marks: never };
  "Where I write": { args: null; marks: never };
  "That I start": { args: null; marks: never };
  Look: { args: null; marks: never };
  Theme: { args: null; marks: never };
  "As the system": { args: null; marks: never };
  Light: { args: null; marks: never };
  Dark: { args: null; marks: never };
  "Size of text": { args: null; marks: never };
  "Space between lines": { args: null; marks: never };
  "High contrast": { args: null; marks: never };
  "Use the whole width of the window": { args: null; marks: never };
  "Those of the device": { args: null; marks: never };
  "As names": { args: null; marks: never };
  "Moving pictures": { args: null; marks: never };
  "Always move": { args: null; marks: never };
  "Move while pointed at": { args: null; marks: never };
  "Never move": { args: null; marks: never };
  "24-hour clock": { args: null; marks: never };
  "14:05 rather than 2:05 PM.": { args: null; marks: never };
  "Ask when this computer is in another time zone than I said": { args: null; marks: never };
  "Finding your way": { args: null; marks: never };
  "Begin with": { args: null; marks: never };
  "Escape goes to the first view": { args: null; marks: never };
  "A click on a channel opens": { args: null; marks: never };
  "Its list of topics": { args: null; marks: never };
  "The first topic with unread messages": { args: null; marks: never };
  "Its newest topic": { args: null; marks: never };
  "All of its messages": { args: null; marks: never };
  "As I read them": { args: null; marks: never };
  "As I read them in conversations": { args: null; marks: never };
  "Only when I say so": { args: null; marks: never };
  "Count unread messages": { args: null; marks: never };
  "In all channels": { args: null; marks: never };
  "In channels that are not muted": { args: null; marks: never };
  "In no channel": { args: null; marks: never };
  "Hide channels without recent messages": { args: null; marks: never };
  "In long lists": { args: null; marks: never };
  "The icon counts": { args: null; marks: never };
  "All unread messages": { args: null; marks: never };
  "Direct messages, mentions and followed topics": { args: null; marks: never };
  "Direct messages and mentions": { args: null; marks: never };
  Nothing: { args: null; marks: never };
  "Show folders of channels": { args: null; marks: never };
  "Count what is unread in folded parts of the list": { args: null; marks: never };
  "People in lists": { args: null; marks: never };
  Names: { args: null; marks: never };
  "Names and statuses": { args: null; marks: never };
  "Names, statuses and pictures": { args: null; marks: never };
  "People under the channels, where the window is narrow": { args: null; marks: never };
  "Count starred messages": { args: null; marks: never };
  "Name who reacted, where they are few": { args: null; marks: never };
  "Enter sends": { args: null; marks: never };
  "Shift+Enter starts a new line. Otherwise Ctrl+Enter sends.": { args: null; marks: never };
  "Turn :) into emoji": { args: null; marks: never };
  "Keep drafts on the server": { args: null; marks: never };
  "They are there on all devices. Turning this off deletes those on the server.": {
    args: null;
    marks: never;
  };
  "Go to the conversation I wrote to": { args: null; marks: never };
  "After an answer from the combined feed, a search or another list.": { args: null; marks: never };
  "Follow topics": { args: null; marks: never };
  "Unmute topics in muted channels": { args: null; marks: never };
  "Follow topics where I am mentioned": { args: null; marks: never };
  "Mark as read that a topic was resolved": { args: null; marks: never };
  "Except in topics I follow": { args: null; marks: never };
  "What others see of you": { args: null; marks: never };
  "Whether I am here": { args: null; marks: never };
  "What I have read": { args: null; marks: never };
  "That I am writing to them": { args: null; marks: never };
  "That I am writing in a channel": { args: null; marks: never };
  "My address": { args: null; marks: never };
  "Moderators and administrators": { args: null; marks: never };
  "My private messages, in an administrator's export": { args: null; marks: never };
  "Otherwise an export of the organization leaves them out, and owners cannot give you a file with your data.": {
    args: null;
    marks: never;
  };
  "What you see of others": { args: null; marks: never };
  "Show who is writing": { args: null; marks: never };
  "Two-step sign-in": { args: null; marks: never };
  On: { args: null; marks: never };
  "A code of an authenticator app after your password.": { args: null; marks: never };
  "Set up …": { args: null; marks: never };
  "New recovery codes …": { args: null; marks: never };
  "Turn off …": { args: null; marks: never };
  "After your password, signing in also takes a code that an app on your phone shows.": {
    args: null;
    marks: never;
  };
  "{left, plural, one {One recovery code is left.} other {# recovery codes are left.}}": {
    args: { left: number };
    marks: never;
  };
  "{left, plural, one {One recovery code is left.} other {# recovery codes are left.}} This organization demands two-step sign-in.": {
    args: { left: number };
    marks: never;
  };
  "You need an authenticator app, such as the one of your password manager.": { args: null; marks: never };
  "Scan this with your app": { args: null; marks: never };
  "Turn on": { args: null; marks: never };
  "Make new recovery codes?": { args: null; marks: never };
  "Make new codes": { args: null; marks: never };
  "The codes that you have now stop working.": { args: null; marks: never };
  "Two-step sign-in is off.": { args: null; marks: never };
  "Turn two-step sign-in off?": { args: null; marks: never };
  "Turn off": { args: null; marks: never };
  "Then anyone who knows your password can sign in as you.": { args: null; marks: never };
  "Six digits, as the app shows them now.": { args: null; marks: never };
  "Recovery codes copied.": { args: null; marks: never };
  Language: { args: null; marks: never };
  "{browser} on {system}": { args: { browser: string; system: string }; marks: never };
  "Unknown device": { args: null; marks: never };
  "Sort the inbox by folders of channels": { args: null; marks: never };
  About: { args: null; marks: never };
  Permissions: { args: null; marks: never };
  "Only those who administer the channel can change this.": { args: null; marks: never };
  "Open {channel}": { args: { channel: string }; marks: never };
  "Who may read it: {readers}. Only those who administer the channel can change this.": {
    args: { readers: string };
    marks: never;
  };
  "Who may read it": { args: null; marks: never };
  None: { args: null; marks: never };
  "As everywhere in the organization": { args: null; marks: never };
  "Topics, and general chat without one": { args: null; marks: never };
  "Always with a topic": { args: null; marks: never };
  "No topics: one conversation": { args: null; marks: never };
  "Open the channel again": { args: null; marks: never };
  "Archive the channel …": { args: null; marks: never };
  "Archive {channel}?": { args: { channel: string }; marks: never };
  "Nobody can write in it any more, and it leaves the lists. What was said is kept.": {
    args: null;
    marks: never;
  };
  "May write": { args: null; marks: never };
  "May join by themselves": { args: null; marks: never };
  "May add others": { args: null; marks: never };
  "May remove others": { args: null; marks: never };
  "May mark topics as resolved": { args: null; marks: never };
  "May move messages to other topics": { args: null; marks: never };
  "May move messages to other channels": { args: null; marks: never };
  "May delete their own messages": { args: null; marks: never };
  "May delete any message": { args: null; marks: never };
  "May change the channel": { args: null; marks: never };
  "For you alone": { args: null; marks: never };
  Colour: { args: null; marks: never };
  "Pin it to the top": { args: null; marks: never };
  "Mute it": { args: null; marks: never };
  "Its messages count nowhere, except those that mention you.": { args: null; marks: never };
  "Notifications by channel": { args: null; marks: never };
  "Choose a picture.": { args: null; marks: never };
  "An emoji needs a name.": { args: null; marks: never };
  "{emoji} is added.": { args: { emoji: string }; marks: never };
  "It is written :between colons:.": { args: null; marks: never };
  "Choose another picture": { args: null; marks: never };
  "Choose a picture": { args: null; marks: never };
  "Chosen: {file}": { args: { file: string }; marks: never };
  "Add the emoji": { args: null; marks: never };
  "You cannot add emoji here.": { args: null; marks: never };
  "The server’s own": { args: null; marks: never };
  "Folders keep channels together in everyone's sidebar.": { args: null; marks: never };
  "New folder": { args: null; marks: never };
  "Only administrators change them.": { args: null; marks: never };
  "Move {name} up": { args: { name: string }; marks: never };
  "Move {name} down": { args: { name: string }; marks: never };
  "Archive {name}": { args: { name: string }; marks: never };
  Rename: { args: null; marks: never };
  "Rename {name}": { args: { name: string }; marks: never };
  "No folders yet": { args: null; marks: never };
  "Archived folders": { args: null; marks: never };
  "Bring back|a folder": { args: null; marks: never };
  "Bring back {name}": { args: { name: string }; marks: never };
  "Only administrators can change this.": { args: null; marks: never };
  "People who are mentioned together, and to whom permissions can be given.": { args: null; marks: never };
  "New group": { args: null; marks: never };
  "No groups yet": { args: null; marks: never };
  "A group is mentioned as one, and permissions can be given to it.": { args: null; marks: never };
  "A group needs a name.": { args: null; marks: never };
  "Create the group": { args: null; marks: never };
  "May mention it": { args: null; marks: never };
  "May leave it": { args: null; marks: never };
  "May add people": { args: null; marks: never };
  "May remove people": { args: null; marks: never };
  "May change it": { args: null; marks: never };
  "Group {name}": { args: { name: string }; marks: never };
  "All groups": { args: null; marks: never };
  "You cannot change this group.": { args: null; marks: never };
  "Leave the group": { args: null; marks: never };
  "Join the group": { args: null; marks: never };
  "Deactivate the group …": { args: null; marks: never };
  "Deactivate {name}?": { args: { name: string }; marks: never };
  "It can no longer be mentioned or given permissions.": { args: null; marks: never };
  "A day": { args: null; marks: never };
  "A week": { args: null; marks: never };
  "For ever": { args: null; marks: never };
  "Link copied. It only works on this machine: to invite others, open Confab at the address that they use.": {
    args: null;
    marks: never;
  };
  "You cannot invite people here. Ask an administrator to invite them.": { args: null; marks: never };
  "Make a link": { args: null; marks: never };
  "Invite by address": { args: null; marks: never };
  "Open invitations": { args: null; marks: never };
  "None.": { args: null; marks: never };
  "{people}, for ever": { args: { people: string }; marks: never };
  "{people}, until {day}": { args: { people: string; day: string }; marks: never };
  "A link for anyone": { args: null; marks: never };
  "Revoke the invitation: {email}": { args: { email: string }; marks: never };
  "Revoke the invitation: link": { args: null; marks: never };
  Revoke: { args: null; marks: never };
  "The link is made and copied. It only works on this machine: to invite others, open Confab at the address that they use.": {
    args: null;
    marks: never;
  };
  "The link is made and copied.": { args: null; marks: never };
  "Invited.": { args: null; marks: never };
  "A link to join": { args: null; marks: never };
  "Make the link": { args: null; marks: never };
  Addresses: { args: null; marks: never };
  "Separated by commas or on lines of their own.": { args: null; marks: never };
  "They join as": { args: null; marks: never };
  "It can be used for": { args: null; marks: never };
  "A channel needs a name.": { args: null; marks: never };
  "Create the channel": { args: null; marks: never };
  "What it is about, such as “launch” or “kitchen”.": { args: null; marks: never };
  "Announce it to everyone": { args: null; marks: never };
  General: { args: null; marks: never };
  Invitations: { args: null; marks: never };
  Folders: { args: null; marks: never };
  "Administrators and owners": { args: null; marks: never };
  "Moderators, administrators and owners": { args: null; marks: never };
  "Members who have been here for a while": { args: null; marks: never };
  "Everyone, guests too": { args: null; marks: never };
  somebody: { args: null; marks: never };
  "Links in messages": { args: null; marks: never };
  "Show pictures that messages link to": { args: null; marks: never };
  "Show the title, text and picture of linked pages": { args: null; marks: never };
  "The server fetches them, so linked sites see its address, but not who reads.": {
    args: null;
    marks: never;
  };
  "Kind of organization": { args: null; marks: never };
  Unspecified: { args: null; marks: never };
  Business: { args: null; marks: never };
  "Open source": { args: null; marks: never };
  "Charitable school": { args: null; marks: never };
  School: { args: null; marks: never };
  Research: { args: null; marks: never };
  Event: { args: null; marks: never };
  Nonprofit: { args: null; marks: never };
  Government: { args: null; marks: never };
  Political: { args: null; marks: never };
  Community: { args: null; marks: never };
  Personal: { args: null; marks: never };
  "Language of new people, invitations and notices": { args: null; marks: never };
  "Language of code blocks that name none": { args: null; marks: never };
  "Such as python.": { args: null; marks: never };
  Joining: { args: null; marks: never };
  "Only people who are invited may join": { args: null; marks: never };
  "Refuse throw-away addresses": { args: null; marks: never };
  "Only addresses of the listed domains may join": { args: null; marks: never };
  "Days until a new account is a full member": { args: null; marks: never };
  "Public channels can be read without an account, where they allow it": { args: null; marks: never };
  "New people get a welcome mail": { args: null; marks: never };
  "Welcome message to new people": { args: null; marks: never };
  "A direct message, in Markdown.": { args: null; marks: never };
  "Two people may not have the same name": { args: null; marks: never };
  "People may not change their names": { args: null; marks: never };
  "People may not change their addresses": { args: null; marks: never };
  "People may not change their pictures": { args: null; marks: never };
  "People see who has read a message": { args: null; marks: never };
  "Guests are marked as such": { args: null; marks: never };
  "Warn before a direct message to a guest": { args: null; marks: never };
  "Changing messages": { args: null; marks: never };
  "People may edit their messages": { args: null; marks: never };
  "How long a message may be edited": { args: null; marks: never };
  "How long people may delete their messages": { args: null; marks: never };
  "How long a message may be moved to another topic": { args: null; marks: never };
  "How long a message may be moved to another channel": { args: null; marks: never };
  "Earlier versions of messages that people see": { args: null; marks: never };
  "All|versions": { args: null; marks: never };
  "Only where they were moved from": { args: null; marks: never };
  "None|versions": { args: null; marks: never };
  "Messages without a topic": { args: null; marks: never };
  Allowed: { args: null; marks: never };
  "Not allowed": { args: null; marks: never };
  "Show pictures that people upload": { args: null; marks: never };
  Calls: { args: null; marks: never };
  "Service for video calls": { args: null; marks: never };
  Jitsi: { args: null; marks: never };
  "Address of the Jitsi server": { args: null; marks: never };
  "Such as https://meet.example.com.": { args: null; marks: never };
  "Channel that announces new channels": { args: null; marks: never };
  "Channel that announces new people": { args: null; marks: never };
  "Channel that receives reports": { args: null; marks: never };
  "Mails may quote messages": { args: null; marks: never };
  "Keeping messages": { args: null; marks: never };
  "How long messages are kept": { args: null; marks: never };
  "Create public channels": { args: null; marks: never };
  "Create private channels": { args: null; marks: never };
  "Create channels that can be read without an account": { args: null; marks: never };
  "Add people to channels": { args: null; marks: never };
  "Mention everybody in a large channel": { args: null; marks: never };
  "Say which topics a channel has": { args: null; marks: never };
  "Say who may delete messages in a channel": { args: null; marks: never };
  "See everybody": { args: null; marks: never };
  "Invite people by their addresses": { args: null; marks: never };
  "Make links by which people join": { args: null; marks: never };
  "Create groups": { args: null; marks: never };
  "Change all groups": { args: null; marks: never };
  "Create bots that can do what people can": { args: null; marks: never };
  "Create bots that can only write": { args: null; marks: never };
  "Delete every message": { args: null; marks: never };
  "Delete their own messages": { args: null; marks: never };
  "Move messages to another channel": { args: null; marks: never };
  "Move messages to another topic": { args: null; marks: never };
  "Mark topics as resolved": { args: null; marks: never };
  "Add emoji": { args: null; marks: never };
  "Take part in direct messages": { args: null; marks: never };
  "Begin direct messages": { args: null; marks: never };
  Twemoji: { args: null; marks: never };
  "No limit": { args: null; marks: never };
  "A channel that you cannot see": { args: null; marks: never };
  "Name of the organization": { args: null; marks: never };
  "Only owners can change this.": { args: null; marks: never };
  "What new people start with. Those who are here keep what they have, and all can choose for themselves.": {
    args: null;
    marks: never;
  };
  "Names and guests": { args: null; marks: never };
  "Settings of new people": { args: null; marks: never };
  "Several people and groups …": { args: null; marks: never };
  "Add a group": { args: null; marks: never };
  "Choose a group": { args: null; marks: never };
  "{count, plural, =0 {Nobody will have it.} one {# person will have it.} other {# people will have it.}}": {
    args: { count: number };
    marks: never;
  };
  "Gets it: {names}": { args: { names: string }; marks: never };
  "Loses it: {names}": { args: { names: string }; marks: never };
  Announcements: { args: null; marks: never };
  "This server sends no mail: its operator has named no mail server.": { args: null; marks: never };
  "Now|the server": { args: null; marks: never };
  Version: { args: null; marks: never };
  "Running since": { args: null; marks: never };
  Memory: { args: null; marks: never };
  Database: { args: null; marks: never };
  "Free disk space": { args: null; marks: never };
  Unknown: { args: null; marks: never };
  "People online": { args: null; marks: never };
  "Open clients": { args: null; marks: never };
  "Last backup": { args: null; marks: never };
  "None was made on this machine": { args: null; marks: never };
  "{time} ago": { args: { time: string }; marks: never };
  "Mail server": { args: null; marks: never };
  "Services of notifications": { args: null; marks: never };
  "Webhooks of bots": { args: null; marks: never };
  "This server sends no mail": { args: null; marks: never };
  "failed {time} ago": { args: { time: string }; marks: never };
  "not needed so far": { args: null; marks: never };
  "answered {time} ago": { args: { time: string }; marks: never };
  "{last}, {count, plural, one {# waits} other {# wait}}": {
    args: { last: string; count: number };
    marks: never;
  };
  "The mail server took a mail to {address}.": { args: { address: string }; marks: never };
  "Send me a test mail": { args: null; marks: never };
  "The mail server {problem}.": { args: { problem: string }; marks: never };
  "Messages a minute": { args: null; marks: never };
  "Requests a minute": { args: null; marks: never };
  "Time to send, 99 of 100": { args: null; marks: never };
  "The last 24 hours": { args: null; marks: never };
  "There is nothing to draw yet: the server measures once a minute.": { args: null; marks: never };
  "At most {value}": { args: { value: string }; marks: never };
  Problem: { args: null; marks: never };
  Warning: { args: null; marks: never };
  Note: { args: null; marks: never };
  Fine: { args: null; marks: never };
  Checks: { args: null; marks: never };
  "Look again": { args: null; marks: never };
  Nodes: { args: null; marks: never };
  "not seen for {time}": { args: { time: string }; marks: never };
  leads: { args: null; marks: never };
  "{lag, plural, =0 {up to date} one {# change behind} other {# changes behind}}": {
    args: { lag: number };
    marks: never;
  };
  Everything: { args: null; marks: never };
  "Warnings and errors": { args: null; marks: never };
  Errors: { args: null; marks: never };
  Log: { args: null; marks: never };
  "What it shows": { args: null; marks: never };
  "Nothing of this kind has happened since the server was started.": { args: null; marks: never };
  "Only owners see the server.": { args: null; marks: never };
  Files: { args: null; marks: never };
  "Only owners see the files of others.": { args: null; marks: never };
  "The largest files": { args: null; marks: never };
  "Whose files they are": { args: null; marks: never };
  "Files that nobody links to": { args: null; marks: never };
  "All files together: {used} of {quota}.": { args: { used: string; quota: string }; marks: never };
  "All files together: {used}.": { args: { used: string }; marks: never };
  "In no message": { args: null; marks: never };
  Size: { args: null; marks: never };
  "Owner|of a file": { args: null; marks: never };
  Uploaded: { args: null; marks: never };
  "No files here": { args: null; marks: never };
  "Show more files": { args: null; marks: never };
  "Uploaded at least this long ago": { args: null; marks: never };
  "{count, plural, one {# file} other {# files}}, {size}: no message links to them, and no draft or scheduled message of their owners.": {
    args: { count: number; size: string };
    marks: never;
  };
  "Delete all of them …": { args: null; marks: never };
  "Delete {count, plural, one {# file} other {# files}} for good?": { args: { count: number }; marks: never };
  "They take up {size}. Nobody can bring them back, and their owners’ lists no longer show them.": {
    args: { size: string };
    marks: never;
  };
  "{count, plural, one {# file} other {# files}} deleted, {size}.": {
    args: { count: number; size: string };
    marks: never;
  };
  "None|channel": { args: null; marks: never };
  "Audit log": { args: null; marks: never };
  "Only administrators and owners see the audit log.": { args: null; marks: never };
  "Invitation|audit log": { args: null; marks: never };
  Linkifier: { args: null; marks: never };
  Playground: { args: null; marks: never };
  "Profile field": { args: null; marks: never };
  Domain: { args: null; marks: never };
  "Group of channels for new people": { args: null; marks: never };
  "Message|audit log": { args: null; marks: never };
  "File|audit log": { args: null; marks: never };
  "Report|audit log": { args: null; marks: never };
  Export: { args: null; marks: never };
  "Mail|audit log": { args: null; marks: never };
  Webhook: { args: null; marks: never };
  "Server|audit log": { args: null; marks: never };
  "Show everything": { args: null; marks: never };
  "No entries yet": { args: null; marks: never };
  "Show older entries": { args: null; marks: never };
  "What happened": { args: null; marks: never };
  "Who|did it": { args: null; marks: never };
  "About what": { args: null; marks: never };
  "When|it happened": { args: null; marks: never };
  "What it is about": { args: null; marks: never };
  "What they did": { args: null; marks: never };
  "What was done to them or theirs": { args: null; marks: never };
  "From this day": { args: null; marks: never };
  "Until this day": { args: null; marks: never };
  "The server itself": { args: null; marks: never };
  Program: { args: null; marks: never };
  "There is no such entry": { args: null; marks: never };
  "What changed": { args: null; marks: never };
  Exports: { args: null; marks: never };
  "An export holds the organization’s data in one file, as it is at one moment.": {
    args: null;
    marks: never;
  };
  "Start an export": { args: null; marks: never };
  "No exports yet": { args: null; marks: never };
  "Delete this export?": { args: null; marks: never };
  "Its file is deleted for good. The organization itself stays as it is.": { args: null; marks: never };
  "being written …": { args: null; marks: never };
  "failed|export": { args: null; marks: never };
  "ready|export": { args: null; marks: never };
  "deleted|export": { args: null; marks: never };
  "Public data": { args: null; marks: never };
  "Public and agreed private data": { args: null; marks: never };
  "Delete the export of {time}": { args: { time: string }; marks: never };
  "What it holds": { args: null; marks: never };
  "Without private channels and direct messages.": { args: null; marks: never };
  "{agreed, number} of {count, plural, one {# person has} other {# people have}} agreed to it in their settings.": {
    args: { agreed: number; count: number };
    marks: never;
  };
  "None|service": { args: null; marks: never };
  "Domains of addresses": { args: null; marks: never };
  "No domain is named.": { args: null; marks: never };
  "Subdomains of {domain}, too": { args: { domain: string }; marks: never };
  "It is the last one: without it, addresses of all domains may join.": { args: null; marks: never };
  "People with its addresses who are here stay; no more of them can join by themselves.": {
    args: null;
    marks: never;
  };
  "Channels of new people": { args: null; marks: never };
  "None: new people choose by themselves.": { args: null; marks: never };
  "Channels say when they are renamed, changed or archived": { args: null; marks: never };
  "Scheduled backups": { args: null; marks: never };
  "{count, plural, one {The last one failed} other {The last # failed}}: {reason}": {
    args: { count: number; reason: string };
    marks: never;
  };
  Certificate: { args: null; marks: never };
  "Valid until {time}": { args: { time: string }; marks: never };
  "None yet|a certificate": { args: null; marks: never };
  "Getting a certificate": { args: null; marks: never };
  "{count, plural, one {The last try failed} other {The last # tries failed}}: {reason} The next one is at {time}.": {
    args: { count: number; reason: string; time: string };
    marks: never;
  };
  "May begin topics": { args: null; marks: never };
  "A private one. Its members, but for guests, decide about reports, too.": { args: null; marks: never };
  "Pictures of new people who choose none": { args: null; marks: never };
  "Gravatar, in apps that use it": { args: null; marks: never };
  "Made by this server|pictures": { args: null; marks: never };
  "Size of pictures and videos in messages": { args: null; marks: never };
  Usual: { args: null; marks: never };
  Larger: { args: null; marks: never };
  "Twice as large": { args: null; marks: never };
  "hands its work to the others": { args: null; marks: never };
  "gets a copy of the data": { args: null; marks: never };
  "waits for the others to be updated": { args: null; marks: never };
  "it is not known how far behind": { args: null; marks: never };
  "You have joined {channel}.": { args: { channel: string }; marks: never };
  "Shows it in your sidebar, and counts what is new": { args: null; marks: never };
  "Hello {name},": { args: { name: string }; marks: never };
  "{first} {second}": { args: { first: string; second: string }; marks: never };
  "{label}:": { args: { label: string }; marks: never };
  "{name}: {value}": { args: { name: string; value: string }; marks: never };
  "Open {organization}": { args: { organization: string }; marks: never };
  Device: { args: null; marks: never };
  "Network address": { args: null; marks: never };
  "New login to {organization}": { args: { organization: string }; marks: never };
  "Somebody, probably you, logged in to your account {email}.": { args: { email: string }; marks: never };
  "If it was not you, change your password at once, which signs out all other browsers and apps, and tell an administrator.": {
    args: null;
    marks: never;
  };
  "You get this mail when your account is used from a new device or network.": { args: null; marks: never };
  "the email address of your account at {organization} has changed.": {
    args: { organization: string };
    marks: never;
  };
  "Your address at {organization} has changed": { args: { organization: string }; marks: never };
  Before: { args: null; marks: never };
  Now: { args: null; marks: never };
  "If you did not want this, tell an administrator at once.": { args: null; marks: never };
  "From now on, sign in with the new address.": { args: null; marks: never };
  "the password of your account at {organization} has changed.": {
    args: { organization: string };
    marks: never;
  };
  "the password of your account at {organization} was set by {person}.": {
    args: { organization: string; person: string };
    marks: never;
  };
  "Browsers and apps that were signed in stay signed in, as was chosen.": { args: null; marks: never };
  "All other browsers and apps that were signed in have to sign in again.": { args: null; marks: never };
  "Your password at {organization} has changed": { args: { organization: string }; marks: never };
  "If you know nothing of this, choose a new password at once, look through the API keys in the settings, and tell an administrator.": {
    args: null;
    marks: never;
  };
  "a new API key was made for your account at {organization}. Programs that have it act as you, and the keys that you had no longer work.": {
    args: { organization: string };
    marks: never;
  };
  "a new API key was made by {person} for your account at {organization}. Programs that have it act as you, and the keys that you had no longer work.": {
    args: { person: string; organization: string };
    marks: never;
  };
  "A new API key at {organization}": { args: { organization: string }; marks: never };
  "If you know nothing of this, end the key in the settings, where a new password does not end it; then change your password and tell an administrator.": {
    args: null;
    marks: never;
  };
  "Two-step sign-in at {organization} is on": { args: { organization: string }; marks: never };
  "Two-step sign-in was turned on for your account at {organization}. From now on, signing in also needs a code from your app.": {
    args: { organization: string };
    marks: never;
  };
  "Two-step sign-in at {organization} is off": { args: { organization: string }; marks: never };
  "Two-step sign-in was turned off for your account at {organization}. Your password alone signs you in now.": {
    args: { organization: string };
    marks: never;
  };
  "Two-step sign-in at {organization} was reset": { args: { organization: string }; marks: never };
  "An administrator has turned two-step sign-in off for your account at {organization}. Set it up again in the settings after signing in.": {
    args: { organization: string };
    marks: never;
  };
  "New recovery codes at {organization}": { args: { organization: string }; marks: never };
  "New recovery codes were made for your account at {organization}. The ones you had no longer work.": {
    args: { organization: string };
    marks: never;
  };
  "A recovery code was used at {organization}": { args: { organization: string }; marks: never };
  "A recovery code was used for your account at {organization}. {left, plural, one {One recovery code is left} other {# recovery codes are left}}; make new ones in the settings before they run out.": {
    args: { organization: string; left: number };
    marks: never;
  };
  "If you know nothing of this, change your password at once and tell an administrator.": {
    args: null;
    marks: never;
  };
  "Test mail from {organization}": { args: { organization: string }; marks: never };
  "Mail works": { args: null; marks: never };
  "Confirm your new address at {organization}": { args: { organization: string }; marks: never };
  "Somebody, probably you, wants the account of {full_name} at {organization} to have this address.": {
    args: { full_name: string; organization: string };
    marks: never;
  };
  "Confirm the address": { args: null; marks: never };
  "The link works once, within a day. Until then the account keeps its address.": {
    args: null;
    marks: never;
  };
  "If this is not your account, ignore this mail: nothing changes.": { args: null; marks: never };
  "Your code for {organization}": { args: { organization: string }; marks: never };
  "Somebody, probably you, is about to change how your account {email} is opened.": {
    args: { email: string };
    marks: never;
  };
  "Type it where you were asked for it, within ten minutes.": { args: null; marks: never };
  "If it was not you, give the code to nobody, and sign out your browsers in the settings.": {
    args: null;
    marks: never;
  };
  "A new password for {organization}": { args: { organization: string }; marks: never };
  "Somebody, probably you, asked for a new password for your account {email} at {organization}.": {
    args: { email: string; organization: string };
    marks: never;
  };
  "Choose a password": { args: null; marks: never };
  "The link works once, within an hour.": { args: null; marks: never };
  "If you did not ask for it, ignore this mail: your password stays as it is.": { args: null; marks: never };
  "your account at {organization} has been deactivated by {person}.": {
    args: { organization: string; person: string };
    marks: never;
  };
  "They wrote:": { args: null; marks: never };
  "Your account at {organization} has been deactivated": { args: { organization: string }; marks: never };
  "{inviter} invites you to join {organization}. Choose a name and a password, and you are in.": {
    args: { inviter: string; organization: string };
    marks: never;
  };
  "This link is only for you.": { args: null; marks: never };
  "It is valid until {time} (UTC).": { args: { time: string }; marks: never };
  "Then you can use any of these clients:": { args: null; marks: never };
  "Invitation to {organization}": { args: { organization: string }; marks: never };
  "If you did not expect this invitation, you can ignore this mail.": { args: null; marks: never };
  "Welcome to {organization}": { args: { organization: string }; marks: never };
  "You have joined {organization}. Here is how to come back.": {
    args: { organization: string };
    marks: never;
  };
  Server: { args: null; marks: never };
  "Sign in as": { args: null; marks: never };
  "These clients work here:": { args: null; marks: never };
  "You get this mail once, because you have joined.": { args: null; marks: never };
  "{organization} has moved from another server to {site}, and your account and messages have moved along.": {
    args: { organization: string; site: string };
    marks: never;
  };
  "{organization} has moved from {source} to {site}, and your account and messages have moved along.": {
    args: { organization: string; source: string; site: string };
    marks: never;
  };
  "Choose a password, and you are in.": { args: null; marks: never };
  "Sign in, and you are there.": { args: null; marks: never };
  "The link works once, until {date}. After that, ask for a new one at {url}": {
    args: { date: string; url: string };
    marks: never;
  };
  "Your account at {organization}": { args: { organization: string }; marks: never };
  "{organization} has moved here": { args: { organization: string }; marks: never };
  "You get this mail once, because you had an account at the other server.": { args: null; marks: never };
  "You get this mail once, because you had an account at {source}.": {
    args: { source: string };
    marks: never;
  };
  "the address of this server": { args: null; marks: never };
  "{site} (reachable only from the server's own machine)": { args: { site: string }; marks: never };
  "Open {server}": { args: { server: string }; marks: never };
  "Sign in as {email} with your password.": { args: { email: string }; marks: never };
  "Sign in as {email}.": { args: { email: string }; marks: never };
  Phone: { args: null; marks: never };
  "Install the app Zulip from your phone's app store.": { args: null; marks: never };
  "Enter {server} as the organization, then log in as {email} with your password.": {
    args: { server: string; email: string };
    marks: never;
  };
  "Enter {server} as the organization, then log in as {email}.": {
    args: { server: string; email: string };
    marks: never;
  };
  "Terminal, with {program}": { args: { program: string }; marks: never };
  "{device}. It asks for the same server, address and password.": { args: { device: string }; marks: never };
  "This address only works on the server's own machine: the server's public address is not set (confab serve --site).": {
    args: null;
    marks: never;
  };
  "New messages": { args: null; marks: never };
  "You have {count, plural, one {# unread message} other {# unread messages}}": {
    args: { count: number };
    marks: never;
  };
  "Your settings, or the organization's, keep the texts of messages out of mails.": {
    args: null;
    marks: never;
  };
  "You get this mail because you were away when they came.": { args: null; marks: never };
  "And {count, plural, one {# more message} other {# more messages}}.": {
    args: { count: number };
    marks: never;
  };
  "You get this mail because {reason}. To reply, open the conversation: nobody reads replies to this mail.": {
    args: { reason: string };
    marks: never;
  };
  "{name} sent you a direct message": { args: { name: string }; marks: never };
  "{name} mentioned you": { args: { name: string }; marks: never };
  "{name} used one of your alert words": { args: { name: string }; marks: never };
  "{name} wrote in a topic that you follow": { args: { name: string }; marks: never };
  "{name} wrote in a channel whose messages you get by mail": { args: { name: string }; marks: never };
  "{first}, and {second}": { args: { first: string; second: string }; marks: never };
  "{first}, {second}, and {third}": { args: { first: string; second: string; third: string }; marks: never };
  "Direct messages with {names}": { args: { names: string }; marks: never };
  "(hidden; open the conversation to see it)": { args: null; marks: never };
  "New|address": { args: null; marks: never };
  "{channel} > {topic}": { args: { channel: string; topic: string }; marks: never };
  "{organization}, <link>{site}</link>": { args: { organization: string; site: string }; marks: "link" };
  "{organization} can send mail: this one was sent to try that.": {
    args: { organization: string };
    marks: never;
  };
  "Backups of {organization} fail": { args: { organization: string }; marks: never };
  "The last two backups that the server of {organization} began could not be made.": {
    args: { organization: string };
    marks: never;
  };
  "Place of the backups": { args: null; marks: never };
  "What is wrong": { args: null; marks: never };
  "None so far": { args: null; marks: never };
  "The server tries again every half hour. On its machine, 'confab doctor' says more, and 'confab backup now' tries at once.": {
    args: null;
    marks: never;
  };
  "You get this mail because you are an owner. The next one comes if backups fail again after one was made.": {
    args: null;
    marks: never;
  };
  "Files of {organization} take up {percent} of their space": {
    args: { organization: string; percent: string };
    marks: never;
  };
  "You can delete files that nobody links to, or allow more space.": { args: null; marks: never };
  "See what takes up space": { args: null; marks: never };
  "You get this mail because you are an owner. The next one comes if the space fills up further or again, at most once a day.": {
    args: null;
    marks: never;
  };
  Ctrl: { args: null; marks: never };
  Shift: { args: null; marks: never };
  Enter: { args: null; marks: never };
  Esc: { args: null; marks: never };
  "Space|key": { args: null; marks: never };
  "Home|key": { args: null; marks: never };
  "End|key": { args: null; marks: never };
  "Page Down": { args: null; marks: never };
  "Page Up": { args: null; marks: never };
  "The server cannot find this queue just now. Please try again.": { args: null; marks: never };
  "The server saved this, or a part of it, and failed before it could answer. Please look before you try again.": {
    args: null;
    marks: never;
  };
  "The server could not confirm that this was saved. Please look before you try again.": {
    args: null;
    marks: never;
  };
  "The server is stopping, so this was not saved.": { args: null; marks: never };
  "Another program has kept the database locked for 10 seconds, so this could not be saved. Please try again.": {
    args: null;
    marks: never;
  };
  "This server does not get the changes of the others just now, so what it has is too old. Please try again.": {
    args: null;
    marks: never;
  };
  "The credentials of this request are no longer valid.": { args: null; marks: never };
  "A request has at most 1000 parameters.": { args: null; marks: never };
  "The multipart body of this request has no boundary.": { args: null; marks: never };
  "The multipart body of this request could not be read.": { args: null; marks: never };
  "The request's fields are too large.": { args: null; marks: never };
  "Send the parameters of a GET request in the query string, not in a body.": { args: null; marks: never };
  "The request is too large: at most {max} bytes are allowed.": { args: { max: string }; marks: never };
  "The request ended before its body was complete.": { args: null; marks: never };
  "The request is not valid.": { args: null; marks: never };
  "Missing ''{name}'' argument": { args: { name: string }; marks: never };
  "{name} is missing": { args: { name: string }; marks: never };
  'Argument "{name}" is not valid JSON.': { args: { name: string }; marks: never };
  "{name} has more than 150000 values.": { args: { name: string }; marks: never };
  "{name} has more than 50000 values.": { args: { name: string }; marks: never };
  "{name} has more than 20000 named values.": { args: { name: string }; marks: never };
  "{name} is nested more than 64 times.": { args: { name: string }; marks: never };
  "{name} is not a number without leading zeros": { args: { name: string }; marks: never };
  "{name} has the wrong type": { args: { name: string }; marks: never };
  "{name} is not valid": { args: { name: string }; marks: never };
  "{name} is not a string": { args: { name: string }; marks: never };
  "{name} is not a number": { args: { name: string }; marks: never };
  "{name} is not an integer": { args: { name: string }; marks: never };
  "{name} is not a boolean": { args: { name: string }; marks: never };
  "{name} is not a list": { args: { name: string }; marks: never };
  "{name} is not an object": { args: { name: string }; marks: never };
  "{name} has too few items: the minimum is {limit}": { args: { name: string; limit: string }; marks: never };
  "{name} is too small: the minimum is {limit}": { args: { name: string; limit: string }; marks: never };
  "{name} has too many items: the maximum is {limit}": {
    args: { name: string; limit: string };
    marks: never;
  };
  "{name} is too large: the maximum is {limit}": { args: { name: string; limit: string }; marks: never };
  "{name} must be one of: {values}": { args: { name: string; values: string }; marks: never };
  "{name} has an unknown key: {keys}": { args: { name: string; keys: string }; marks: never };
  "Event {id} was not in this queue": { args: { id: string }; marks: never };
  "An event newer than {id} has already been pruned!": { args: { id: string }; marks: never };
  "Bad event queue ID: {id}": { args: { id: string }; marks: never };
  "Missing 'last_event_id' argument": { args: null; marks: never };
  "User not authorized for this query": { args: null; marks: never };
  "Without an account, 'all_public_streams' must be false.": { args: null; marks: never };
  "Without an account, 'client_gravatar' must be false.": { args: null; marks: never };
  "Without an account, 'include_subscribers' must be false.": { args: null; marks: never };
  "include_subscribers must be true, false or partial.": { args: null; marks: never };
  "idle_queue_timeout must be a number of seconds, or mobile.": { args: null; marks: never };
  "An operand of a queue's narrow can have at most 500 characters.": { args: null; marks: never };
  "The narrow of an event queue can have at most 100 terms.": { args: null; marks: never };
  "Unsupported parameter combination: {parameters}": { args: { parameters: string }; marks: never };
  "This endpoint does not accept bot requests.": { args: null; marks: never };
  "This API is not available to incoming webhook bots.": { args: null; marks: never };
  "Not logged in: API authentication or user session required": { args: null; marks: never };
  "Invalid API key": { args: null; marks: never };
  "Malformed API key": { args: null; marks: never };
  "CSRF error: the X-CSRFToken header must hold the token in the csrftoken cookie.": {
    args: null;
    marks: never;
  };
  "Only the operator may do this, at the server's machine": { args: null; marks: never };
  "Invalid channel ID": { args: null; marks: never };
  "Invalid channel name ''{channel}''": { args: { channel: string }; marks: never };
  "Channel ''{channel}'' does not exist": { args: { channel: string }; marks: never };
  "Channel with ID ''{id}'' does not exist": { args: { id: string }; marks: never };
  "Channel ''{channel}'' already exists": { args: { channel: string }; marks: never };
  "Channel ''{channel}'' is archived already.": { args: { channel: string }; marks: never };
  "Channel ''{channel}'' is archived.": { args: { channel: string }; marks: never };
  "You do not have permission to read channel ''{channel}''.": { args: { channel: string }; marks: never };
  "You do not have permission to post in channel ''{channel}''.": { args: { channel: string }; marks: never };
  "You do not have permission to administer channel ''{channel}''.": {
    args: { channel: string };
    marks: never;
  };
  "You do not have permission to subscribe to channel ''{channel}''.": {
    args: { channel: string };
    marks: never;
  };
  "You do not have permission to subscribe other people to channel ''{channel}''.": {
    args: { channel: string };
    marks: never;
  };
  "You do not have permission to remove other people from channel ''{channel}''.": {
    args: { channel: string };
    marks: never;
  };
  "You must be able to read channel ''{channel}'' yourself to change who else can read it.": {
    args: { channel: string };
    marks: never;
  };
  "A private channel cannot be web-public.": { args: null; marks: never };
  "The history of a public channel cannot be protected.": { args: null; marks: never };
  "You have made 2000 channels, and only administrators can make more.": { args: null; marks: never };
  "You do not have permission to create private channels.": { args: null; marks: never };
  "You do not have permission to create public channels.": { args: null; marks: never };
  "You do not have permission to create web-public channels.": { args: null; marks: never };
  "Web-public channels are not enabled on this server.": { args: null; marks: never };
  "Web-public channels are not enabled in this organization.": { args: null; marks: never };
  "You do not have permission to choose the topics policy of a channel.": { args: null; marks: never };
  "Only organization administrators choose the default channels.": { args: null; marks: never };
  "You do not have permission to choose who may delete messages in a channel.": { args: null; marks: never };
  "To allow only the general chat topic, all messages of the channel must be in it: move or delete the others first.": {
    args: null;
    marks: never;
  };
  "A default channel cannot be private.": { args: null; marks: never };
  "A default channel cannot be archived.": { args: null; marks: never };
  "The channel for moderation requests must be private.": { args: null; marks: never };
  "sender_id must be yours, a bot's of yours or the notification bot's.": { args: null; marks: never };
  "There is no default channel group with the ID {id}.": { args: { id: string }; marks: never };
  "Default channel group ''{group}'' already exists.": { args: { group: string }; marks: never };
  "''{channel}'' is private and cannot be in a default channel group.": {
    args: { channel: string };
    marks: never;
  };
  "''{channel}'' is archived and cannot be in a default channel group.": {
    args: { channel: string };
    marks: never;
  };
  "''{channel}'' is a default channel and cannot be in a default channel group.": {
    args: { channel: string };
    marks: never;
  };
  "Channel ''{channel}'' is already in default channel group ''{group}''.": {
    args: { channel: string; group: string };
    marks: never;
  };
  "Channel ''{channel}'' is not in default channel group ''{group}''.": {
    args: { channel: string; group: string };
    marks: never;
  };
  'You must pass "new_description" or "new_group_name".': { args: null; marks: never };
  "Invalid channel folder ID": { args: null; marks: never };
  "Channel folder ''{folder}'' is archived.": { args: { folder: string }; marks: never };
  "Channel folder name already in use": { args: null; marks: never };
  "Only an empty channel folder can be archived: move its channels out first.": { args: null; marks: never };
  "The order must contain every channel folder exactly once.": { args: null; marks: never };
  'Nothing to do. Specify at least one of "add" or "delete".': { args: null; marks: never };
  "You are not subscribed to channel ''{channel}''.": { args: { channel: string }; marks: never };
  "At most 100000 subscriptions can be changed at once.": { args: null; marks: never };
  "Unknown subscription property: {property}": { args: { property: string }; marks: never };
  "You can mute, unmute or follow at most 10000 topics. Reset some of them first.": {
    args: null;
    marks: never;
  };
  "Missing 'stream_id' argument": { args: null; marks: never };
  "A topic has at most 60 characters.": { args: null; marks: never };
  "Invalid character in topic!": { args: null; marks: never };
  "How long messages are kept is a number of days from 1 to 36500, 'realm_default' or 'unlimited'.": {
    args: null;
    marks: never;
  };
  "You can name at most 1000 channels at once.": { args: null; marks: never };
  "You can subscribe to at most 1000 channels at once.": { args: null; marks: never };
  "You can unsubscribe from at most 1000 channels at once.": { args: null; marks: never };
  "A color must be '#' and six hexadecimal digits, such as #76ce90.": { args: null; marks: never };
  "principals must be a list of user IDs or of email addresses.": { args: null; marks: never };
  "A channel folder needs a name.": { args: null; marks: never };
  "A channel folder's name has at most 60 characters.": { args: null; marks: never };
  "A channel folder's name must be made of printable characters.": { args: null; marks: never };
  "A channel folder's description has at most 1024 characters.": { args: null; marks: never };
  "A channel folder's description must not contain null bytes.": { args: null; marks: never };
  "A channel's name has at most 60 characters.": { args: null; marks: never };
  "A channel's name must be made of printable characters.": { args: null; marks: never };
  "A channel's description has at most 1024 characters.": { args: null; marks: never };
  "A channel's description must not contain null bytes.": { args: null; marks: never };
  "A default channel group needs a name.": { args: null; marks: never };
  "A default channel group's name has at most 60 characters.": { args: null; marks: never };
  "A default channel group's name must be made of printable characters.": { args: null; marks: never };
  "A default channel group's description has at most 1024 characters.": { args: null; marks: never };
  "A default channel group's description must not contain null bytes.": { args: null; marks: never };
  "A user group needs a name.": { args: null; marks: never };
  "A user group's name has at most 100 characters.": { args: null; marks: never };
  "A user group's name must be made of printable characters.": { args: null; marks: never };
  "A user group's description has at most 1024 characters.": { args: null; marks: never };
  "A user group's description must not contain null bytes.": { args: null; marks: never };
  "Property ''{property}'': The value must be true or false.": { args: { property: string }; marks: never };
  "Property ''{property}'': A color must be '#' and six hexadecimal digits, such as #76ce90.": {
    args: { property: string };
    marks: never;
  };
  "You do not have permission to begin topics in this channel.": { args: null; marks: never };
  "In a private channel with protected history, everybody who may write must be able to begin topics.": {
    args: null;
    marks: never;
  };
  "Name is already in use!": { args: null; marks: never };
  "Insufficient permission": { args: null; marks: never };
  "Name changes are disabled in this organization.": { args: null; marks: never };
  "Bots have no password.": { args: null; marks: never };
  "Some of these people cannot be added.": { args: null; marks: never };
  "The owner permission cannot be removed from the only organization owner.": { args: null; marks: never };
  "User is already deactivated": { args: null; marks: never };
  "User is already active": { args: null; marks: never };
  "The only organization owner cannot be deactivated.": { args: null; marks: never };
  "Change your own address in your settings, where it takes a proof.": { args: null; marks: never };
  "This server sends no mail, so nobody would read the comment.": { args: null; marks: never };
  "There is no active user with the address {email}.": { args: { email: string }; marks: never };
  "An ID says what an entry is about only together with its kind.": { args: null; marks: never };
  "Avatar changes are disabled in this organization.": { args: null; marks: never };
  "Invalid custom emoji name.": { args: null; marks: never };
  "Invalid custom emoji.": { args: null; marks: never };
  "Invalid emoji code.": { args: null; marks: never };
  "Invalid emoji name.": { args: null; marks: never };
  "This custom emoji has been deactivated.": { args: null; marks: never };
  "Only administrators can override default emoji.": { args: null; marks: never };
  "A custom emoji with this name already exists.": { args: null; marks: never };
  "An organization can have at most 10000 custom emoji, including deactivated ones.": {
    args: null;
    marks: never;
  };
  "Must be an organization administrator or emoji author": { args: null; marks: never };
  "Emoji ''{name}'' does not exist": { args: { name: string }; marks: never };
  "Emoji ''{name}'' comes with the server: only custom emoji can be deactivated.": {
    args: { name: string };
    marks: never;
  };
  "There are no emoji names for that version.": { args: null; marks: never };
  "The server's file store does not answer just now, so files can be neither stored nor read. Please try again in a few minutes.": {
    args: null;
    marks: never;
  };
  "The server's file store is full, so nothing can be uploaded just now. Please tell an administrator.": {
    args: null;
    marks: never;
  };
  "You must specify a file to upload.": { args: null; marks: never };
  "The file is larger than the allowed {max} MiB.": { args: { max: string }; marks: never };
  "You may only upload one file at a time.": { args: null; marks: never };
  "There is no such picture.": { args: null; marks: never };
  "This animation is too long or too large.": { args: null; marks: never };
  "This file could not be read as a picture. Supported formats are PNG, JPEG, GIF and WebP.": {
    args: null;
    marks: never;
  };
  "This picture is too large to be decoded.": { args: null; marks: never };
  "This file does not exist or has been deleted.": { args: null; marks: never };
  "Invalid user group ID: {id}": { args: { id: string }; marks: never };
  "You do not have permission to change this user group.": { args: null; marks: never };
  "You do not have permission to add members to this user group.": { args: null; marks: never };
  "You do not have permission to remove members from this user group.": { args: null; marks: never };
  "You do not have permission to join this user group.": { args: null; marks: never };
  "You do not have permission to leave this user group.": { args: null; marks: never };
  "System groups follow from roles and cannot be changed.": { args: null; marks: never };
  "User group ''{group}'' is deactivated.": { args: { group: string }; marks: never };
  "User group ''{group}'' is this group, or already contains it.": { args: { group: string }; marks: never };
  "User {id} is already a member of this group.": { args: { id: string }; marks: never };
  "User {id} is not a member of this group.": { args: { id: string }; marks: never };
  "User group {id} is already a subgroup of this group.": { args: { id: string }; marks: never };
  "User group {id} is not a subgroup of this group.": { args: { id: string }; marks: never };
  "You do not have permission to create user groups.": { args: null; marks: never };
  "You have made 1000 user groups, and only administrators can make more.": { args: null; marks: never };
  "User group ''{group}'' already exists.": { args: { group: string }; marks: never };
  "No changes were given.": { args: null; marks: never };
  "User group is already deactivated.": { args: null; marks: never };
  "Cannot deactivate user group in use.": { args: null; marks: never };
  "No members were given to add or remove.": { args: null; marks: never };
  "Guests may not list user groups.": { args: null; marks: never };
  "No such key": { args: null; marks: never };
  "Linkifier not found.": { args: null; marks: never };
  "The URL template inserts ''{name}'', but the pattern has no group of that name.": {
    args: { name: string };
    marks: never;
  };
  "The pattern has a group ''{name}'' that the URL template does not insert.": {
    args: { name: string };
    marks: never;
  };
  "The URL template must lead to an address that is safe to open.": { args: null; marks: never };
  "An organization has at most 200 linkifiers.": { args: null; marks: never };
  "The new order must name every linkifier exactly once.": { args: null; marks: never };
  "There is already a linkifier with this pattern.": { args: null; marks: never };
  "This regular expression is too complex. Use fewer repeats.": { args: null; marks: never };
  "Bad regular expression: {reason}": { args: { reason: string }; marks: never };
  "A URL template must not contain blanks, quotes or angle brackets.": { args: null; marks: never };
  "A URL template must close every brace it opens.": { args: null; marks: never };
  "A URL template cannot insert ''{expression}''.": { args: { expression: string }; marks: never };
  "A linkifier needs a pattern.": { args: null; marks: never };
  "A linkifier's pattern has at most 1000 characters.": { args: null; marks: never };
  "A linkifier's pattern must not contain null bytes.": { args: null; marks: never };
  "A URL template must not be empty.": { args: null; marks: never };
  "A URL template has at most 2000 characters.": { args: null; marks: never };
  "To change the password, also give the old one.": { args: null; marks: never };
  "A first password takes more than a key: sign in in a browser, and choose it in the settings there.": {
    args: null;
    marks: never;
  };
  "A command begins with a slash, such as /dark.": { args: null; marks: never };
  "There is no such command. The commands are {commands}.": { args: { commands: string }; marks: never };
  "No such user": { args: null; marks: never };
  "Must be an organization moderator": { args: null; marks: never };
  "Must be an organization administrator": { args: null; marks: never };
  "Must be an organization owner": { args: null; marks: never };
  "''{setting}'' must be a system user group.": { args: { setting: string }; marks: never };
  "Invalid user ID: {id}": { args: { id: string }; marks: never };
  "Invalid user ID {id}": { args: { id: string }; marks: never };
  "Invalid email ''{email}''": { args: { email: string }; marks: never };
  "''{setting}'' setting cannot be set to ''{group}'' group.": {
    args: { setting: string; group: string };
    marks: never;
  };
  "''{setting}'' has been changed in the meantime. Please check its new value.": {
    args: { setting: string };
    marks: never;
  };
  "An organization has at most 200 playgrounds.": { args: null; marks: never };
  "There is already a playground with this name for this language.": { args: null; marks: never };
  "Playground not found.": { args: null; marks: never };
  "The URL template of a playground must insert 'code', and nothing else.": { args: null; marks: never };
  "The URL template of a playground must begin with https:// or http://.": { args: null; marks: never };
  "A playground needs a name.": { args: null; marks: never };
  "A playground's name has at most 100 characters.": { args: null; marks: never };
  "A playground's name must be made of printable characters.": { args: null; marks: never };
  "A playground needs a language.": { args: null; marks: never };
  "The name of a language has at most 40 characters.": { args: null; marks: never };
  "The name of a language must be made of letters, digits, blanks and signs such as + and #.": {
    args: null;
    marks: never;
  };
  "There is no profile field with the ID {id}.": { args: { id: string }; marks: never };
  "Bots have no profile fields.": { args: null; marks: never };
  "Only administrators may change the field ''{field}''.": { args: { field: string }; marks: never };
  "The value of ''{field}'' is too long (limit: 50 characters).": { args: { field: string }; marks: never };
  "The value of ''{field}'' is too long (limit: 500 characters).": { args: { field: string }; marks: never };
  "The value of ''{field}'' is not one of the options.": { args: { field: string }; marks: never };
  "The value of ''{field}'' is not a date, such as 2020-02-29.": { args: { field: string }; marks: never };
  "The value of ''{field}'' is not a web address.": { args: { field: string }; marks: never };
  "The value of ''{field}'' is not a list of the IDs of people.": { args: { field: string }; marks: never };
  "Only fields of people take a list.": { args: null; marks: never };
  "An organization has at most 100 profile fields.": { args: null; marks: never };
  "Default custom field cannot be updated.": { args: null; marks: never };
  "The new order must name every profile field exactly once.": { args: null; marks: never };
  "Only lists of options and external accounts have field data.": { args: null; marks: never };
  "This field data does not fit the type of the profile field.": { args: null; marks: never };
  "Fields of this type cannot be displayed in the profile summary.": { args: null; marks: never };
  "Only 2 fields can be displayed in the profile summary.": { args: null; marks: never };
  "Label cannot be blank.": { args: null; marks: never };
  "A field with that label already exists.": { args: null; marks: never };
  "There is no such type of profile field.": { args: null; marks: never };
  "The label of a profile field has at most 40 characters.": { args: null; marks: never };
  "The label of a profile field must be a single line.": { args: null; marks: never };
  "The hint of a profile field has at most 80 characters.": { args: null; marks: never };
  "The hint of a profile field must be a single line.": { args: null; marks: never };
  "A value has at most 5000 characters.": { args: null; marks: never };
  "A field names at most 100 people.": { args: null; marks: never };
  "Name each field once.": { args: null; marks: never };
  "An address has at most 1024 characters.": { args: null; marks: never };
  "The address of an account must begin with http:// or https://.": { args: null; marks: never };
  "The address of an account must contain %(username)s once.": { args: null; marks: never };
  "An option needs a key.": { args: null; marks: never };
  "A key has at most 100 characters.": { args: null; marks: never };
  "A key must be a single line.": { args: null; marks: never };
  "An option has at most 100 characters.": { args: null; marks: never };
  "An option must be a single line.": { args: null; marks: never };
  "An option must not be empty.": { args: null; marks: never };
  "The order of an option must be a number.": { args: null; marks: never };
  "A list of options needs at least one.": { args: null; marks: never };
  "A list has at most 200 options.": { args: null; marks: never };
  "A list of options must not repeat one.": { args: null; marks: never };
  "Give either the password or the code from the mail.": { args: null; marks: never };
  "Only browsers that are signed in have to show who uses them.": { args: null; marks: never };
  "This account is not opened by a password.": { args: null; marks: never };
  "A code is mailed only to people who have no other way to show that it is them.": {
    args: null;
    marks: never;
  };
  "This organization's subdomain cannot be changed.": { args: null; marks: never };
  "This server does not offer login by ''{method}''.": { args: { method: string }; marks: never };
  "At least one authentication method must be enabled.": { args: null; marks: never };
  "Calls by Jitsi need the address of a Jitsi server.": { args: null; marks: never };
  "There is no syntax highlighting for a language called ''{language}''.": {
    args: { language: string };
    marks: never;
  };
  "This server does not offer access without an account.": { args: null; marks: never };
  "The domain {domain} is already a part of this organization.": { args: { domain: string }; marks: never };
  "No entry found for domain {domain}.": { args: { domain: string }; marks: never };
  "This server does not delete organizations: its operator can remove the data folder.": {
    args: null;
    marks: never;
  };
  "The organization is deactivated already.": { args: null; marks: never };
  "The organization is not deactivated.": { args: null; marks: never };
  "{provider} is not configured.": { args: { provider: string }; marks: never };
  "No such session": { args: null; marks: never };
  "Bots have no browser to sign in: they use their API keys.": { args: null; marks: never };
  "Bots do not sign in: they use their API keys.": { args: null; marks: never };
  "Begin to set two-step sign-in up first.": { args: null; marks: never };
  "This organization demands two-step sign-in, so you cannot turn it off.": { args: null; marks: never };
  "{name} does not use two-step sign-in.": { args: { name: string }; marks: never };
  "The organization's own bots cannot be changed.": { args: null; marks: never };
  "An organization needs a name.": { args: null; marks: never };
  "An organization's name has at most 40 characters.": { args: null; marks: never };
  "An organization's name must be made of printable characters.": { args: null; marks: never };
  "An organization's description has at most 1000 characters.": { args: null; marks: never };
  "This text must not contain null bytes.": { args: null; marks: never };
  'A time limit is a number of seconds above 0, or "unlimited".': { args: null; marks: never };
  'Messages are kept for 1 to 36500 days, or "unlimited".': { args: null; marks: never };
  "This server sends no digests.": { args: null; marks: never };
  "This server does not offer calls by that provider.": { args: null; marks: never };
  "A Jitsi server's address must begin with https:// or http://.": { args: null; marks: never };
  "A Jitsi server's address has at most 200 characters.": { args: null; marks: never };
  "A Jitsi server's address must not contain blanks.": { args: null; marks: never };
  "A welcome message has at most 8000 characters.": { args: null; marks: never };
  "A domain has at most 253 characters.": { args: null; marks: never };
  "Enter a domain, such as example.com.": { args: null; marks: never };
  "An emoji's name has at most 100 characters.": { args: null; marks: never };
  "An emoji's name must be made of lower-case letters, digits, dashes and underscores, and end in a letter or digit.": {
    args: null;
    marks: never;
  };
  "There is no such language.": { args: null; marks: never };
  "The delay of mails is 1 to 604800 seconds.": { args: null; marks: never };
  "This server sends no mails about the product.": { args: null; marks: never };
  "There is no such time zone.": { args: null; marks: never };
  "A user group's name must not start with '@', 'role:', 'user:', 'stream:', 'channel:'.": {
    args: null;
    marks: never;
  };
  "There is no such role.": { args: null; marks: never };
  "A comment has at most 2000 characters.": { args: null; marks: never };
  "A comment must not contain null bytes.": { args: null; marks: never };
  "A text to try has at most 1000 characters.": { args: null; marks: never };
  "Name at least one person or group whose settings to change.": { args: null; marks: never };
  "This can be changed only by people themselves.": { args: null; marks: never };
  "People cannot be found by fields of this type.": { args: null; marks: never };
  "No owner could sign in then, since none has a password: {names}. One of them has to choose one first.": {
    args: { names: string };
    marks: never;
  };
  "No owner could sign in then, since none has signed in at a provider: {names}. One of them has to do that first.": {
    args: { names: string };
    marks: never;
  };
  "An example of a linkifier has at most 1000 characters.": { args: null; marks: never };
  "An example of a linkifier must not contain null bytes.": { args: null; marks: never };
  "A template of short forms has at most 2000 characters.": { args: null; marks: never };
  "A linkifier has at most 20 alternative URL templates.": { args: null; marks: never };
  "A template of short forms needs an example of a text.": { args: null; marks: never };
  "The example is not a text that the pattern finds.": { args: null; marks: never };
  "A template of short forms inserts groups by their names in braces; braces of the text are doubled.": {
    args: null;
    marks: never;
  };
  "The template of short forms inserts ''{name}'', but the pattern has no group of that name.": {
    args: { name: string };
    marks: never;
  };
  "The template of short forms makes ''{text}'' of the example; it must make the example itself.": {
    args: { text: string };
    marks: never;
  };
  "You can have at most 1000 alert words.": { args: null; marks: never };
  "An alert word has at most 100 characters.": { args: null; marks: never };
  "An alert word is made of printable characters.": { args: null; marks: never };
  "You can send at most 1000 alert words at once.": { args: null; marks: never };
  "The server is stopping. It goes on with this after its next start.": { args: null; marks: never };
  "Messages of this topic are being moved or deleted, and that does not go on. Please try again later.": {
    args: null;
    marks: never;
  };
  "You do not have permission to delete messages in channel ''{channel}''.": {
    args: { channel: string };
    marks: never;
  };
  "Invalid flag: ''{flag}''": { args: { flag: string }; marks: never };
  "Flag not editable: ''{flag}''": { args: { flag: string }; marks: never };
  "No such topic ''{topic}''": { args: { topic: string }; marks: never };
  "Read receipts are disabled in this organization.": { args: null; marks: never };
  "The time limit for moving these messages has passed.": { args: null; marks: never };
  "You only have permission to move the {movable}/{all} most recent messages in this topic.": {
    args: { movable: string; all: string };
    marks: never;
  };
  "This message has changed since you opened it: 'prev_content_sha256' does not match its content.": {
    args: null;
    marks: never;
  };
  "You don't have permission to edit this message": { args: null; marks: never };
  "Your organization has turned off message editing": { args: null; marks: never };
  "Widgets cannot be edited.": { args: null; marks: never };
  "The time limit for editing this message has passed": { args: null; marks: never };
  "Direct messages cannot be moved to channels.": { args: null; marks: never };
  "Direct messages cannot have topics.": { args: null; marks: never };
  "A message's content and its channel cannot be changed at once.": { args: null; marks: never };
  "Other messages can only be changed together with the topic or the channel.": { args: null; marks: never };
  "You don't have permission to move messages out of this channel.": { args: null; marks: never };
  "You don't have permission to resolve topics in this channel.": { args: null; marks: never };
  "You don't have permission to move messages to another topic in this channel.": {
    args: null;
    marks: never;
  };
  "Topics of an archived channel cannot be changed.": { args: null; marks: never };
  "The general chat topic cannot be marked as resolved.": { args: null; marks: never };
  "The general chat topic is not allowed in this channel.": { args: null; marks: never };
  "Only the general chat topic is allowed in this channel.": { args: null; marks: never };
  "Sending messages to the general chat is not allowed in this channel.": { args: null; marks: never };
  "Nothing to change": { args: null; marks: never };
  "Message edit history is disabled in this organization.": { args: null; marks: never };
  "The hash of a message's content must have 64 hexadecimal digits.": { args: null; marks: never };
  "These messages are too long for one answer: ask for fewer at a time.": { args: null; marks: never };
  "Invalid anchor": { args: null; marks: never };
  "The anchor can only be excluded at an end of the range": { args: null; marks: never };
  "Missing 'anchor' argument.": { args: null; marks: never };
  "Too many messages requested (maximum 5000).": { args: null; marks: never };
  "Without an account, only messages of web-public channels can be read.": { args: null; marks: never };
  "Invalid message(s)": { args: null; marks: never };
  "Messages of an archived channel cannot be changed.": { args: null; marks: never };
  "You don't have permission to delete this message": { args: null; marks: never };
  "The time limit for deleting this message has passed": { args: null; marks: never };
  "Message must not contain null bytes": { args: null; marks: never };
  "Message must not be empty": { args: null; marks: never };
  "You cannot mute yourself.": { args: null; marks: never };
  "You have muted this user already.": { args: null; marks: never };
  "You have not muted this user.": { args: null; marks: never };
  "Invalid narrow operator: unknown ''{operator}'' operand {operand}": {
    args: { operator: string; operand: string };
    marks: never;
  };
  "Invalid narrow operator: unknown operator {operator}": { args: { operator: string }; marks: never };
  "Invalid narrow operator: a search has at most 32 words and phrases": { args: null; marks: never };
  "Invalid narrow operator: a search has at most 2000 characters": { args: null; marks: never };
  "Invalid narrow operator: a narrow can have only one 'with' term": { args: null; marks: never };
  "Invalid narrow operator: no message can be both a channel message and a direct message": {
    args: null;
    marks: never;
  };
  "Invalid narrow operator: a channel is a name or an ID": { args: null; marks: never };
  "Invalid narrow operator: unknown channel": { args: null; marks: never };
  "Invalid narrow operator: a topic must be a string": { args: null; marks: never };
  "Invalid narrow operator: unknown user": { args: null; marks: never };
  "Invalid narrow operator: a direct conversation needs somebody": { args: null; marks: never };
  "Invalid narrow operator: a message ID is a number": { args: null; marks: never };
  "Invalid narrow operator: the text to search for must be a string": { args: null; marks: never };
  "Invalid narrow operator: there is nothing to search for": { args: null; marks: never };
  "Event queues do not support narrowing by ''{operator}'' with this operand.": {
    args: { operator: string };
    marks: never;
  };
  "The operand of a narrow names at most 1000 people.": { args: null; marks: never };
  "A narrow has at most 32 terms.": { args: null; marks: never };
  "Specify the emoji by 'emoji_name' or 'emoji_code'.": { args: null; marks: never };
  "Reaction already exists.": { args: null; marks: never };
  "Reaction doesn't exist.": { args: null; marks: never };
  "You can react to a message with at most 50 emoji.": { args: null; marks: never };
  "A message can have at most 200 different reactions.": { args: null; marks: never };
  "Emoji names must contain only visible characters, and no colon.": { args: null; marks: never };
  "There is no such type of emoji.": { args: null; marks: never };
  "Please describe what is wrong with this message.": { args: null; marks: never };
  "This report does not exist.": { args: null; marks: never };
  "This report is about a message of yours: another moderator has to handle it.": {
    args: null;
    marks: never;
  };
  "This report is open.": { args: null; marks: never };
  "This organization has no channel for message reports.": { args: null; marks: never };
  "A message is reported as one of: spam, harassment, inappropriate, norms, other.": {
    args: null;
    marks: never;
  };
  "A description has at most 1000 characters.": { args: null; marks: never };
  "A description must not contain null bytes.": { args: null; marks: never };
  "A note has at most 1000 characters.": { args: null; marks: never };
  "A note must not contain null bytes.": { args: null; marks: never };
  "Missing 'local_id' argument": { args: null; marks: never };
  "You are not allowed to mention one of the user groups in this message.": { args: null; marks: never };
  "You do not have permission to use channel wildcard mentions here.": { args: null; marks: never };
  "You do not have permission to use topic wildcard mentions here.": { args: null; marks: never };
  "A channel message goes to exactly one channel.": { args: null; marks: never };
  "A channel message needs a topic.": { args: null; marks: never };
  "Recipient lists may contain emails or user IDs, but not both.": { args: null; marks: never };
  "Recipients are IDs or names: numbers or strings.": { args: null; marks: never };
  "''{email}'' is no longer using this organization.": { args: { email: string }; marks: never };
  "This conversation does not include any users who can authorize it.": { args: null; marks: never };
  "You do not have permission to initiate direct message conversations.": { args: null; marks: never };
  "This widget has reached its maximum number of changes.": { args: null; marks: never };
  "The content of a submessage must be JSON.": { args: null; marks: never };
  "The only type of submessage is 'widget'.": { args: null; marks: never };
  "A submessage has at most 10000 characters.": { args: null; marks: never };
  "Only the sender of a message can turn it into a widget.": { args: null; marks: never };
  "This is not a valid start of a poll.": { args: null; marks: never };
  "This is not a valid start of a todo.": { args: null; marks: never };
  "This is not a valid change of a poll.": { args: null; marks: never };
  "This is not a valid change of a todo.": { args: null; marks: never };
  "Only the sender of this poll can change its title.": { args: null; marks: never };
  "Only the sender of this todo can change its title.": { args: null; marks: never };
  "You may not see this file.": { args: null; marks: never };
  "Invalid attachment": { args: null; marks: never };
  "This file has no thumbnail of this size.": { args: null; marks: never };
  "Upload would exceed your organization's upload quota.": { args: null; marks: never };
  "Your files may not take up more space. An owner of the organization can allow more.": {
    args: null;
    marks: never;
  };
  "You can store at most 50000 files. Delete some first.": { args: null; marks: never };
  "This address has expired or is invalid.": { args: null; marks: never };
  "This image is damaged and cannot be shown.": { args: null; marks: never };
  "The op is 'add' or 'remove'.": { args: null; marks: never };
  "This Idempotency-Key was already used for another message.": { args: null; marks: never };
  "Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces": { args: null; marks: never };
  "Invalid anchor date": { args: null; marks: never };
  "{name} has handled this report already.": { args: { name: string }; marks: never };
  "{name} has dismissed this report already.": { args: { name: string }; marks: never };
  "{name} has handled this report already, and deactivated the sender.": {
    args: { name: string };
    marks: never;
  };
  "{name} has handled this report already, and deleted the message.": {
    args: { name: string };
    marks: never;
  };
  "{name} has handled this report already, and warned the sender.": { args: { name: string }; marks: never };
  "A report is either opened again or handled.": { args: null; marks: never };
  "A report is dismissed where nothing is to be done.": { args: null; marks: never };
  "Please say why the report is dismissed.": { args: null; marks: never };
  "This message is deleted already.": { args: null; marks: never };
  "A bot cannot be warned.": { args: null; marks: never };
  "The sender's account is deactivated: nobody would read the warning.": { args: null; marks: never };
  "A warning has at most 1000 characters.": { args: null; marks: never };
  "A warning must not contain null bytes.": { args: null; marks: never };
  "You have turned off the synchronization of drafts.": { args: null; marks: never };
  "Draft does not exist": { args: null; marks: never };
  "You can keep at most 1000 drafts: delete some first.": { args: null; marks: never };
  "Must specify exactly 1 channel ID for channel messages": { args: null; marks: never };
  "A draft can have at most 1000 recipients.": { args: null; marks: never };
  "Topic must not contain null bytes": { args: null; marks: never };
  "Content must not contain null bytes": { args: null; marks: never };
  "Timestamp must not be negative.": { args: null; marks: never };
  "Too many drafts in one request.": { args: null; marks: never };
  "Navigation view already exists.": { args: null; marks: never };
  "You can keep at most 500 navigation views.": { args: null; marks: never };
  "Custom views must have a valid name.": { args: null; marks: never };
  "Navigation view does not exist.": { args: null; marks: never };
  "Built-in views cannot have a custom name.": { args: null; marks: never };
  "Navigation view with this name already exists.": { args: null; marks: never };
  "A navigation view needs a fragment.": { args: null; marks: never };
  "The fragment of a navigation view can have at most 2000 characters.": { args: null; marks: never };
  "The fragment of a navigation view must contain only printable characters.": { args: null; marks: never };
  "The name of a navigation view cannot be empty.": { args: null; marks: never };
  "The name of a navigation view can have at most 100 characters.": { args: null; marks: never };
  "The name of a navigation view must contain only printable characters.": { args: null; marks: never };
  "Presence is not supported for bot users.": { args: null; marks: never };
  "No presence data for {email}": { args: { email: string }; marks: never };
  "The number of days must not be negative.": { args: null; marks: never };
  "The presence status must be 'active' or 'idle'.": { args: null; marks: never };
  "Reminder does not exist": { args: null; marks: never };
  "You can have at most 1000 reminders.": { args: null; marks: never };
  "You can have at most 10 reminders of one message.": { args: null; marks: never };
  "Maximum reminder note length: 1000 characters": { args: null; marks: never };
  "A note must not contain null bytes": { args: null; marks: never };
  "Saved snippet does not exist.": { args: null; marks: never };
  "You can keep at most 1000 snippets: delete some first.": { args: null; marks: never };
  "Give the snippet a new title, new content, or both.": { args: null; marks: never };
  "Title cannot be empty.": { args: null; marks: never };
  "Title is too long: at most 60 characters are allowed.": { args: null; marks: never };
  "The title must contain only printable characters.": { args: null; marks: never };
  "Content cannot be empty.": { args: null; marks: never };
  "Content is too long: at most 10000 characters are allowed.": { args: null; marks: never };
  "Scheduled message does not exist": { args: null; marks: never };
  "Scheduled delivery time must be in the future.": { args: null; marks: never };
  "You can have at most 1000 messages scheduled.": { args: null; marks: never };
  "This message could not be sent: give it a new delivery time.": { args: null; marks: never };
  "Your scheduled messages are too long in total: shorten or delete some first.": {
    args: null;
    marks: never;
  };
  "Recipient required when updating type of scheduled message.": { args: null; marks: never };
  "Topic required when updating scheduled message type to channel.": { args: null; marks: never };
  "The server was not running at the scheduled time.": { args: null; marks: never };
  "Recipients must be a channel ID, or a list of at most 1000 user IDs.": { args: null; marks: never };
  "Empty 'to' list": { args: null; marks: never };
  "You may only edit your own messages.": { args: null; marks: never };
  "User has disabled typing notifications for channel messages": { args: null; marks: never };
  "User has disabled typing notifications for direct messages": { args: null; marks: never };
  "The op must be 'start' or 'stop'.": { args: null; marks: never };
  "User is deactivated": { args: null; marks: never };
  "Client did not pass any new values.": { args: null; marks: never };
  "Client must pass emoji_name if they pass either emoji_code or reaction_type.": {
    args: null;
    marks: never;
  };
  "status_text is too long (limit: 60 characters)": { args: null; marks: never };
  "The status must contain only printable characters.": { args: null; marks: never };
  "An emoji name or code can have at most 100 characters.": { args: null; marks: never };
  "Unknown onboarding step.": { args: null; marks: never };
  "Invalid device ID": { args: null; marks: never };
  "There is no such export.": { args: null; marks: never };
  "This export has already been deleted.": { args: null; marks: never };
  "This export failed: there is nothing to delete.": { args: null; marks: never };
  "This export is still being written.": { args: null; marks: never };
  "At most 5 exports can be made in a week.": { args: null; marks: never };
  "At least one organization owner must allow their private data to be exported.": {
    args: null;
    marks: never;
  };
  "This export does not exist or has been deleted.": { args: null; marks: never };
  "No such bot": { args: null; marks: never };
  "A bot's owner must be an active person.": { args: null; marks: never };
  "A person can have at most 500 bots.": { args: null; marks: never };
  "This server does not support embedded bots.": { args: null; marks: never };
  "An outgoing webhook needs a URL to post to, in payload_url.": { args: null; marks: never };
  "Only outgoing webhooks have a URL to post to.": { args: null; marks: never };
  "Only bots have storage.": { args: null; marks: never };
  "A storage key must not be empty.": { args: null; marks: never };
  "A storage key can have at most 1000 characters.": { args: null; marks: never };
  "A storage key must not contain null bytes.": { args: null; marks: never };
  "A stored value must not contain null bytes.": { args: null; marks: never };
  "Name at most 10000 keys at once.": { args: null; marks: never };
  "A short name may contain only letters, digits, dots, dashes and underscores, at most 60.": {
    args: null;
    marks: never;
  };
  "There is no such type of bot.": { args: null; marks: never };
  "The URL of a webhook can have at most 2000 characters.": { args: null; marks: never };
  "The URL of a webhook must begin with http:// or https:// and contain no password.": {
    args: null;
    marks: never;
  };
  "There is no such interface.": { args: null; marks: never };
  "The channel name is too long.": { args: null; marks: never };
  "No such invitation": { args: null; marks: never };
  "Only an organization owner may do this.": { args: null; marks: never };
  "Invitation has already been revoked": { args: null; marks: never };
  "At most {max} addresses can be invited in a day, so nothing was sent.": {
    args: { max: string };
    marks: never;
  };
  "None of these addresses can be invited, so nothing was sent.": { args: null; marks: never };
  "Some of these addresses cannot be invited. All others have been.": { args: null; marks: never };
  "You must specify at least one email address.": { args: null; marks: never };
  "Bots cannot invite people.": { args: null; marks: never };
  "You may invite people only to your own role, or to one with fewer permissions.": {
    args: null;
    marks: never;
  };
  "You do not have permission to subscribe other people to channels.": { args: null; marks: never };
  "You can have at most 1000 invitation links: revoke some first.": { args: null; marks: never };
  "''{email}'' already has an account.": { args: { email: string }; marks: never };
  "A welcome message must not be empty.": { args: null; marks: never };
  "An invitation must be valid for at least a minute.": { args: null; marks: never };
  "An invitation can be valid for at most a century; use null for no limit.": { args: null; marks: never };
  "Too many addresses for one request.": { args: null; marks: never };
  "Invalid OTP": { args: null; marks: never };
  "The URL of a push service must start with https://.": { args: null; marks: never };
  "The URL of the push service is too long.": { args: null; marks: never };
  "Enter the URL of a push service.": { args: null; marks: never };
  "The browser's key is not a valid key for Web Push.": { args: null; marks: never };
  "The browser's secret is not a valid secret for Web Push.": { args: null; marks: never };
  "A secret has at least 16 characters.": { args: null; marks: never };
  "A secret has at most 200 characters.": { args: null; marks: never };
  "A secret has only printable ASCII characters, without spaces.": { args: null; marks: never };
  "The bot is deactivated.": { args: null; marks: never };
  "The bot has no URL to post to.": { args: null; marks: never };
  "The server knows only a hash of this key. If it is lost, make a new one.": { args: null; marks: never };
  "The bot has no template.": { args: null; marks: never };
  "Only the owner of a bot may read what tools posted to it.": { args: null; marks: never };
  "In the template, a pair of braces is not closed.": { args: null; marks: never };
  "In the template, a pair of braces names no field.": { args: null; marks: never };
  "A template has at most 50 pairs of braces.": { args: null; marks: never };
  "The path to a field has at most 100 characters.": { args: null; marks: never };
  "The template of the topic has at most 200 characters.": { args: null; marks: never };
  "A template has at most 4000 characters.": { args: null; marks: never };
  "The template is empty.": { args: null; marks: never };
  "The bot has no secret.": { args: null; marks: never };
  "The organization": { args: null; marks: never };
  "An administrator": { args: null; marks: never };
  nobody: { args: null; marks: never };
  "new channels": { args: null; marks: never };
  "channel events": { args: null; marks: never };
  "new people": { args: null; marks: never };
  "{person} created a new channel {channel}.": { args: { person: string; channel: string }; marks: never };
  "{person} created these new channels:": { args: { person: string }; marks: never };
  "{person} subscribed you to the channel {channel}.": {
    args: { person: string; channel: string };
    marks: never;
  };
  "{person} subscribed you to these channels:": { args: { person: string }; marks: never };
  "{person} renamed this channel from **{from}** to **{to}**.": {
    args: { person: string; from: string; to: string };
    marks: never;
  };
  "{person} changed the description of this channel.": { args: { person: string }; marks: never };
  "It was:": { args: null; marks: never };
  "It is now:": { args: null; marks: never };
  "*No description.*": { args: null; marks: never };
  "{person} changed how long messages in this channel are kept, from **{from}** to **{to}**.": {
    args: { person: string; from: string; to: string };
    marks: never;
  };
  "the organization's default": { args: null; marks: never };
  forever: { args: null; marks: never };
  "{days, plural, one {# day} other {# days}}": { args: { days: number }; marks: never };
  "{person} moved this channel into the folder **{to}**.": {
    args: { person: string; to: string };
    marks: never;
  };
  "{person} moved this channel out of the folder **{from}**.": {
    args: { person: string; from: string };
    marks: never;
  };
  "{person} moved this channel out of the folder **{from}** and into the folder **{to}**.": {
    args: { person: string; from: string; to: string };
    marks: never;
  };
  "{person} archived this channel.": { args: { person: string }; marks: never };
  "{person} took this channel out of the archive.": { args: { person: string }; marks: never };
  "{person} changed this channel from **{before}** to **{after}**.": {
    args: { person: string; before: string; after: string };
    marks: never;
  };
  "web-public": { args: null; marks: never };
  public: { args: null; marks: never };
  "private, shared history": { args: null; marks: never };
  "private, protected history": { args: null; marks: never };
  "{person} changed who may post in this channel.": { args: { person: string }; marks: never };
  "Before: {who}": { args: { who: string }; marks: never };
  "Now: {who}": { args: { who: string }; marks: never };
  "Everyone on the Internet": { args: null; marks: never };
  "Everyone in this organization": { args: null; marks: never };
  "Members of this organization, not including guests": { args: null; marks: never };
  "Members of this organization, not including new accounts": { args: null; marks: never };
  "Moderators of this organization": { args: null; marks: never };
  "Administrators of this organization": { args: null; marks: never };
  "Owners of this organization": { args: null; marks: never };
  "This topic was moved to {place} by {person}.": { args: { place: string; person: string }; marks: never };
  "A message was moved from this topic to {place} by {person}.": {
    args: { place: string; person: string };
    marks: never;
  };
  "{count, plural, one {# message was} other {# messages were}} moved from this topic to {place} by {person}.": {
    args: { count: number; place: string; person: string };
    marks: never;
  };
  "This topic was moved here from {place} by {person}.": {
    args: { place: string; person: string };
    marks: never;
  };
  "A message": { args: null; marks: never };
  "{message} was moved here from {place} by {person}.": {
    args: { message: string; place: string; person: string };
    marks: never;
  };
  "{count, plural, one {# message was} other {# messages were}} moved here from {place} by {person}.": {
    args: { count: number; place: string; person: string };
    marks: never;
  };
  "a private channel": { args: null; marks: never };
  "{person} has marked this topic as resolved.": { args: { person: string }; marks: never };
  "{person} has marked this topic as unresolved.": { args: { person: string }; marks: never };
  "{name} <link>wrote</link>:": { args: { name: string }; marks: "link" };
  "[message truncated]": { args: null; marks: never };
  "Reports about {name}": { args: { name: string }; marks: never };
  "{person} reported a message by {sender}.": { args: { person: string; sender: string }; marks: never };
  "{person} reported a direct message by {sender}.": {
    args: { person: string; sender: string };
    marks: never;
  };
  "**Reason**: {reason}": { args: { reason: string }; marks: never };
  "Violates the norms of this organization": { args: null; marks: never };
  Other: { args: null; marks: never };
  "You asked to be reminded of this message:": { args: null; marks: never };
  "You asked to be reminded of this message, with this note:": { args: null; marks: never };
  "You asked to be reminded of a message that you can no longer read.": { args: null; marks: never };
  "You asked to be reminded of a message that you can no longer read, with this note:": {
    args: null;
    marks: never;
  };
  "The message you scheduled for {time} was not sent:": { args: { time: string }; marks: never };
  "This is what you wrote:": { args: null; marks: never };
  "You can find it in your <link>scheduled messages</link>.": { args: null; marks: "link" };
  "An internal error occurred.": { args: null; marks: never };
  "A mail to {address} could not be delivered: {subject}": {
    args: { address: string; subject: string };
    marks: never;
  };
  "A mail to {address} waits, because the mail server did not take it: {subject}": {
    args: { address: string; subject: string };
    marks: never;
  };
  "The server keeps trying for two days; `confab mail list` shows what waits.": { args: null; marks: never };
  "a fault of the server, which is in its log": { args: null; marks: never };
  "{person} added you to the user group {group}.": { args: { person: string; group: string }; marks: never };
  "{person} removed you from the user group {group}.": {
    args: { person: string; group: string };
    marks: never;
  };
  "You are now the owner of the bot {bot}.": { args: { bot: string }; marks: never };
  "{person} made you the owner of the bot {bot}.": { args: { person: string; bot: string }; marks: never };
  "Its old API key no longer works. Create a new one to use the bot.": { args: null; marks: never };
  "Its messages are no longer posted to this URL; to resume, set it again:": { args: null; marks: never };
  "It keeps running with its API key. To revoke the key, create a new one.": { args: null; marks: never };
  "It keeps running with its API key, which {person} still knows. To revoke the key, create a new one.": {
    args: { person: string };
    marks: never;
  };
  "Its messages are still posted to this URL:": { args: null; marks: never };
  "{person} is now the owner of your bot {bot}. It keeps running with its API key, which you still know. The new owner knows that you do.": {
    args: { person: string; bot: string };
    marks: never;
  };
  "{person} made the bot {bot} for you, and knows its API key. To revoke the key, create a new one.": {
    args: { person: string; bot: string };
    marks: never;
  };
  "{person} created a new API key for your bot {bot}, and knows it. The old one no longer works. To revoke the key, create a new one.": {
    args: { person: string; bot: string };
    marks: never;
  };
  "Failure! I could not reach my service. My owner has been notified.": { args: null; marks: never };
  "{bot} could not answer <link>a message</link>: the call to its service failed.": {
    args: { bot: string };
    marks: "link";
  };
  "{person} accepted your invitation and has joined.": { args: { person: string }; marks: never };
  "This server sends no email, so please pass these links on yourself. Each is for one person only.": {
    args: null;
    marks: never;
  };
  "{person} has joined. Say hello!": { args: { person: string }; marks: never };
  "{person} and {others, plural, one {# other} other {# others}}": {
    args: { person: string; others: number };
    marks: never;
  };
  "{some}, {more}": { args: { some: string; more: string }; marks: never };
  "The moderators have looked at your report about a message by {name}, and see no reason to do anything.": {
    args: { name: string };
    marks: never;
  };
  "The moderators have looked at your report about a message by {name}, and have done something about it. Thank you.": {
    args: { name: string };
    marks: never;
  };
  "The moderators of {organization} write to you about a message of yours:": {
    args: { organization: string };
    marks: never;
  };
  "**This organization is yours.** In the browser, *Organization* > *Invitations* makes a link to join: send it to your team. In a terminal on the server's machine:": {
    args: null;
    marks: never;
  };
  "`confab invite link` makes such a link, too.": { args: null; marks: never };
  "`confab channel create NAME` creates a channel, and `confab default add-channel NAME` subscribes everyone who joins to it.": {
    args: null;
    marks: never;
  };
  "`confab console` shows and changes everything.": { args: null; marks: never };
  "Say hello in {place}.": { args: { place: string }; marks: never };
  "Browse the channels, and subscribe to those that interest you.": { args: null; marks: never };
  "Mute topics that do not interest you, and follow those where you want to miss nothing.": {
    args: null;
    marks: never;
  };
  "Add a picture to your profile, and set your time zone.": { args: null; marks: never };
  "Clients ask for a password, and your account has none yet. Where you are signed in in a browser, choose one in the settings under *Account*. On the server's machine, {command} sets one.": {
    args: { command: string };
    marks: never;
  };
  "Hello, and welcome to {organization}! I am a bot, so nobody reads your replies here. These are the first steps.": {
    args: { organization: string };
    marks: never;
  };
  "**How conversations are organized.** A *channel* is for a team, a project or an interest. Each message in a channel has a *topic*, which says what it is about. So you can read just the conversations that concern you, and find them again later. For private conversations, send direct messages.": {
    args: null;
    marks: never;
  };
  "**What to do first**": { args: null; marks: never };
  "**Clients that work here**": { args: null; marks: never };
  general: { args: null; marks: never };
  "For everyone: news, questions, and everything without a channel of its own.": { args: null; marks: never };
  "trying things out": { args: null; marks: never };
  "This topic is for trying things out:": { args: null; marks: never };
  "`**bold**`, `*italic*` and `~~strikethrough~~` become **bold**, *italic* and ~~strikethrough~~.": {
    args: null;
    marks: never;
  };
  "Put three backticks on the lines above and below to make a code block.": { args: null; marks: never };
  "Type `@` to mention somebody, `#` to link to a channel or topic, and `:` to find an emoji. :tada:": {
    args: null;
    marks: never;
  };
  "Edit a message, react to it, move it to another topic, or delete it.": { args: null; marks: never };
  "how topics work": { args: null; marks: never };
  "Each message in a channel has a topic, as an email has a subject. This one is in the topic {topic}.": {
    args: { topic: string };
    marks: never;
  };
  "Start a topic for each new question. The answers stay together, however busy the channel is.": {
    args: null;
    marks: never;
  };
  "Move messages that belong elsewhere, and mark a topic as resolved when it is settled.": {
    args: null;
    marks: never;
  };
  "After a week away, read only the topics that concern you.": { args: null; marks: never };
  greetings: { args: null; marks: never };
  "Say hello: who are you, and what do you work on? :wave:": { args: null; marks: never };
  "Set up {organization}": { args: { organization: string }; marks: never };
  "Skip the rest": { args: null; marks: never };
  "(done)": { args: null; marks: never };
  "{action}: {step}": { args: { action: string; step: string }; marks: never };
  "Your link for signing in works once. The password works everywhere.": { args: null; marks: never };
  Choose: { args: null; marks: never };
  "Name and picture": { args: null; marks: never };
  "So that people see where they are.": { args: null; marks: never };
  "A link to join, for a week: send it to your team.": { args: null; marks: never };
  "Start a channel": { args: null; marks: never };
  "For a team, a project or a subject. Or bring the history of another chat: <command>confab import</command> on the server.": {
    args: null;
    marks: "command";
  };
  Start: { args: null; marks: never };
  "Say hello": { args: null; marks: never };
  "In {channel}: who are you, and what do you work on?": { args: { channel: string }; marks: never };
  "Find your channels": { args: null; marks: never };
  "Join those that interest you. What you have not read gathers in the inbox.": { args: null; marks: never };
  "Show who you are": { args: null; marks: never };
  "A picture of you, and what others should know.": { args: null; marks: never };
  "Got it": { args: null; marks: never };
  Content: { args: null; marks: never };
  Watching: { args: null; marks: never };
  "This is not open to you": { args: null; marks: never };
  "Only administrators and owners may use this.": { args: null; marks: never };
  "Saved: {what}.": { args: { what: string }; marks: never };
  "Take back the changes": { args: null; marks: never };
  "Search this list": { args: null; marks: never };
  Order: { args: null; marks: never };
  "Mark all": { args: null; marks: never };
  "Mark all {count, number}": { args: { count: number }; marks: never };
  "Mark {name}": { args: { name: string }; marks: never };
  "{count, plural, one {# row marked} other {# rows marked}}": { args: { count: number }; marks: never };
  "Actions for the marked rows": { args: null; marks: never };
  Actions: { args: null; marks: never };
  "Unmark all": { args: null; marks: never };
  Stop: { args: null; marks: never };
  Progress: { args: null; marks: never };
  "{done, number} of {total, number} done": { args: { done: number; total: number }; marks: never };
  "{count, plural, one {# is left as it was.} other {# are left as they were.}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {# failed:} other {# failed:}}": { args: { count: number }; marks: never };
  "Only moderators, administrators and owners see this.": { args: null; marks: never };
  "All people": { args: null; marks: never };
  "There is no such person, or you may not see them.": { args: null; marks: never };
  "The server’s own bots cannot be changed.": { args: null; marks: never };
  "Only owners change the accounts of owners.": { args: null; marks: never };
  "Only administrators and owners change accounts.": { args: null; marks: never };
  "Last active": { args: null; marks: never };
  "Signs in by": { args: null; marks: never };
  "Nothing yet": { args: null; marks: never };
  Role: { args: null; marks: never };
  "Change your own address in your settings.": { args: null; marks: never };
  "Only owners change the addresses of others.": { args: null; marks: never };
  "The organization needs an owner: make somebody else one first.": { args: null; marks: never };
  Deactivating: { args: null; marks: never };
  "Bringing back": { args: null; marks: never };
  "They can sign in again, with the role they had.": { args: null; marks: never };
  "Deactivate …": { args: null; marks: never };
  "Bring back …": { args: null; marks: never };
  "Bring back": { args: null; marks: never };
  "Bring {name} back?": { args: { name: string }; marks: never };
  "{name} is deactivated.": { args: { name: string }; marks: never };
  "{name} is back.": { args: { name: string }; marks: never };
  "They use it.": { args: null; marks: never };
  "They do not use it.": { args: null; marks: never };
  "Ended.": { args: null; marks: never };
  "End: {what}": { args: { what: string }; marks: never };
  "{count, plural, one {Sign {name} out of # browser?} other {Sign {name} out of # browsers?}}": {
    args: { count: number; name: string };
    marks: never;
  };
  "{count, plural, one {End # key of {name}?} other {End # keys of {name}?}}": {
    args: { count: number; name: string };
    marks: never;
  };
  "End all": { args: null; marks: never };
  "Where they are signed in": { args: null; marks: never };
  "They are not signed in anywhere.": { args: null; marks: never };
  "Sign them out everywhere …": { args: null; marks: never };
  "They have to sign in again in all their browsers.": { args: null; marks: never };
  "They have no keys.": { args: null; marks: never };
  "End all keys …": { args: null; marks: never };
  "Apps and programs that use these keys stop working.": { args: null; marks: never };
  "Remove from {name}": { args: { name: string }; marks: never };
  "Choose …": { args: null; marks: never };
  "Add to a group": { args: null; marks: never };
  "In no group.": { args: null; marks: never };
  "Add to a channel": { args: null; marks: never };
  "In no channel that you see.": { args: null; marks: never };
  Bots: { args: null; marks: never };
  "Active people": { args: null; marks: never };
  Everybody: { args: null; marks: never };
  Off: { args: null; marks: never };
  "How people sign in could not be loaded.": { args: null; marks: never };
  "All roles": { args: null; marks: never };
  "Nobody found": { args: null; marks: never };
  "They are signed out everywhere and can no longer sign in, and their bots are deactivated, too. Their messages stay. They can be brought back.": {
    args: null;
    marks: never;
  };
  "Role …": { args: null; marks: never };
  "{count, plural, one {Change the role of # person?} other {Change the role of # people?}}": {
    args: { count: number };
    marks: never;
  };
  "Change the role": { args: null; marks: never };
  "Add to a group …": { args: null; marks: never };
  "{count, plural, one {Add # person to a group?} other {Add # people to a group?}}": {
    args: { count: number };
    marks: never;
  };
  "Add to a channel …": { args: null; marks: never };
  "{count, plural, one {Add # person to a channel?} other {Add # people to a channel?}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {Deactivate # person?} other {Deactivate # people?}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {Bring # person back?} other {Bring # people back?}}": {
    args: { count: number };
    marks: never;
  };
  Invited: { args: null; marks: never };
  "Invited by": { args: null; marks: never };
  Since: { args: null; marks: never };
  Until: { args: null; marks: never };
  "Send it again": { args: null; marks: never };
  "Sent again.": { args: null; marks: never };
  "Revoke …": { args: null; marks: never };
  "{count, plural, one {Revoke # invitation?} other {Revoke # invitations?}}": {
    args: { count: number };
    marks: never;
  };
  "No open invitations": { args: null; marks: never };
  "Invited people are listed here until they join.": { args: null; marks: never };
  "Nobody can join by them any more.": { args: null; marks: never };
  "Account created": { args: null; marks: never };
  "Name changed": { args: null; marks: never };
  "Profile changed": { args: null; marks: never };
  "Profile deleted": { args: null; marks: never };
  "Picture changed": { args: null; marks: never };
  "Status changed": { args: null; marks: never };
  "Role changed": { args: null; marks: never };
  "Email address changed": { args: null; marks: never };
  "Email address counted as proved": { args: null; marks: never };
  "Email address no longer counted as proved": { args: null; marks: never };
  "Account deactivated": { args: null; marks: never };
  "Account reactivated": { args: null; marks: never };
  "Person erased": { args: null; marks: never };
  "Password set": { args: null; marks: never };
  "Link for a new password made": { args: null; marks: never };
  "Sign-in link made": { args: null; marks: never };
  "Signed out everywhere": { args: null; marks: never };
  "API keys ended": { args: null; marks: never };
  "API key replaced": { args: null; marks: never };
  "Two-step sign-in turned on": { args: null; marks: never };
  "Two-step sign-in turned off": { args: null; marks: never };
  "Two-step sign-in reset": { args: null; marks: never };
  "Recovery codes replaced": { args: null; marks: never };
  "Invited after an import": { args: null; marks: never };
  "Owner changed": { args: null; marks: never };
  "Default channels changed": { args: null; marks: never };
  "Outgoing webhook changed": { args: null; marks: never };
  "Webhook secret set": { args: null; marks: never };
  "Webhook secret replaced": { args: null; marks: never };
  "Webhook template set": { args: null; marks: never };
  "Webhook template removed": { args: null; marks: never };
  "Webhook secret removed": { args: null; marks: never };
  "Channel created": { args: null; marks: never };
  "Channel renamed": { args: null; marks: never };
  "Channel description changed": { args: null; marks: never };
  "Channel archived": { args: null; marks: never };
  "Channel unarchived": { args: null; marks: never };
  "Channel privacy changed": { args: null; marks: never };
  "Channel permission changed": { args: null; marks: never };
  "Channel retention changed": { args: null; marks: never };
  "Channel folder changed": { args: null; marks: never };
  "Topics in a channel changed": { args: null; marks: never };
  "Channel made default for new people": { args: null; marks: never };
  "Channel no longer default for new people": { args: null; marks: never };
  "Added to a channel": { args: null; marks: never };
  "Removed from a channel": { args: null; marks: never };
  "Folder created": { args: null; marks: never };
  "Folder renamed": { args: null; marks: never };
  "Folder description changed": { args: null; marks: never };
  "Folder archived": { args: null; marks: never };
  "Folder unarchived": { args: null; marks: never };
  "Folders reordered": { args: null; marks: never };
  "Group of channels for new people created": { args: null; marks: never };
  "Group of channels for new people changed": { args: null; marks: never };
  "Group of channels for new people deleted": { args: null; marks: never };
  "Channels added to a group for new people": { args: null; marks: never };
  "Channels removed from a group for new people": { args: null; marks: never };
  "Group created": { args: null; marks: never };
  "Group changed": { args: null; marks: never };
  "Group members changed": { args: null; marks: never };
  "Group deactivated": { args: null; marks: never };
  "Group reactivated": { args: null; marks: never };
  "Invitation created": { args: null; marks: never };
  "Invitation accepted": { args: null; marks: never };
  "Invitation sent again": { args: null; marks: never };
  "Invitation revoked": { args: null; marks: never };
  "Linkifier added": { args: null; marks: never };
  "Linkifier changed": { args: null; marks: never };
  "Linkifier removed": { args: null; marks: never };
  "Linkifiers reordered": { args: null; marks: never };
  "Playground added": { args: null; marks: never };
  "Playground removed": { args: null; marks: never };
  "Emoji added": { args: null; marks: never };
  "Emoji removed": { args: null; marks: never };
  "Profile field added": { args: null; marks: never };
  "Profile field changed": { args: null; marks: never };
  "Profile field removed": { args: null; marks: never };
  "Profile fields reordered": { args: null; marks: never };
  "Domain added": { args: null; marks: never };
  "Domain changed": { args: null; marks: never };
  "Domain removed": { args: null; marks: never };
  "Message deleted": { args: null; marks: never };
  "Messages moved": { args: null; marks: never };
  "All messages of an account deleted": { args: null; marks: never };
  "Topic deleted": { args: null; marks: never };
  "Topic resolved": { args: null; marks: never };
  "Topic unresolved": { args: null; marks: never };
  "Old messages deleted": { args: null; marks: never };
  "Deletion of old messages allowed": { args: null; marks: never };
  "Report marked as handled": { args: null; marks: never };
  "Report opened again": { args: null; marks: never };
  "Export started": { args: null; marks: never };
  "Export written": { args: null; marks: never };
  "Export deleted": { args: null; marks: never };
  "Data imported": { args: null; marks: never };
  "Mail discarded": { args: null; marks: never };
  "Webhook call discarded": { args: null; marks: never };
  "Organization changed": { args: null; marks: never };
  "Setting changed": { args: null; marks: never };
  "Organization picture changed": { args: null; marks: never };
  "Logo changed": { args: null; marks: never };
  "Logo for dark colors changed": { args: null; marks: never };
  "Organization deactivated": { args: null; marks: never };
  "Organization reactivated": { args: null; marks: never };
  "Setting of new people changed": { args: null; marks: never };
  "Upload limits changed": { args: null; marks: never };
  "Files without a message deleted": { args: null; marks: never };
  "Files moved": { args: null; marks: never };
  "Node removed": { args: null; marks: never };
  "Token for a new node made": { args: null; marks: never };
  "Metrics token made": { args: null; marks: never };
  "Metrics token revoked": { args: null; marks: never };
  "Command run": { args: null; marks: never };
  "Backup restored": { args: null; marks: never };
  "Only people with addresses of these domains may join.": { args: null; marks: never };
  "No domain is named, so nobody may join.": { args: null; marks: never };
  "Remove {name}?": { args: { name: string }; marks: never };
  "Who joins is subscribed to these, except guests. Those who are here stay as they are.": {
    args: null;
    marks: never;
  };
  "Under way": { args: null; marks: never };
  "Everything they sent": { args: null; marks: never };
  "For spam, and for an account that somebody took over. The account itself stays as it is.": {
    args: null;
    marks: never;
  };
  "Delete everything they sent …": { args: null; marks: never };
  "Delete everything that {name} sent?": { args: { name: string }; marks: never };
  "Delete everything": { args: null; marks: never };
  "Everything that {name} sent is deleted.": { args: { name: string }; marks: never };
  "For everyone and for ever, this deletes:": { args: null; marks: never };
  "They have sent nothing.": { args: null; marks: never };
  "Only owners can erase people.": { args: null; marks: never };
  Erasing: { args: null; marks: never };
  "For somebody who wants to be forgotten: all that says who they are goes for ever.": {
    args: null;
    marks: never;
  };
  "Erase …": { args: null; marks: never };
  Erased: { args: null; marks: never };
  "Erase {name} for ever?": { args: { name: string }; marks: never };
  "Erase for ever": { args: null; marks: never };
  "The person is erased.": { args: null; marks: never };
  "What goes": { args: null; marks: never };
  "What stays": { args: null; marks: never };
  "Their messages": { args: null; marks: never };
  "Stay, as those of “{name}”": { args: { name: string }; marks: never };
  "With their files and reactions.": { args: null; marks: never };
  "Are deleted for everyone, too": { args: null; marks: never };
  "Their data first": { args: null; marks: never };
  "Their bots are deactivated: {names}.": { args: { names: string }; marks: never };
  "Also what their bots sent: {names}.": { args: { names: string }; marks: never };
  "{name}: {count, number}": { args: { name: string; count: number }; marks: never };
  "Messages in public channels": { args: null; marks: never };
  "Messages in private channels": { args: null; marks: never };
  "Files: {count, number} ({size})": { args: { count: number; size: string }; marks: never };
  "Name and address, also where they are mentioned": { args: null; marks: never };
  Status: { args: null; marks: never };
  "Settings, what they read and starred, when they were here": { args: null; marks: never };
  "Fields of the profile": { args: null; marks: never };
  "Keys and browsers that open the account": { args: null; marks: never };
  "Memberships in groups and channels": { args: null; marks: never };
  "Files that no message links to": { args: null; marks: never };
  "Direct messages that others sent them: they are those others’.": { args: null; marks: never };
  "Backups that were made before, until they are deleted. None is known here.": { args: null; marks: never };
  "Backups that were made before, until they are deleted. Known ones are from {from} to {to}.": {
    args: { from: string; to: string };
    marks: never;
  };
  "Finished exports, until they are deleted": { args: null; marks: never };
  "The audit log, with the number of their account and without a name.": { args: null; marks: never };
  "To confirm, type {name}": { args: { name: string }; marks: never };
  "This is not the name.": { args: null; marks: never };
  "You may close this: the server goes on by itself.": { args: null; marks: never };
  "Deleting messages": { args: null; marks: never };
  "Removing reactions": { args: null; marks: never };
  "Looking for mentions of the name": { args: null; marks: never };
  "Deleting files": { args: null; marks: never };
  "Deleting what was theirs alone": { args: null; marks: never };
  "Taking the name out of the audit log": { args: null; marks: never };
  "The server has begun …": { args: null; marks: never };
  "Messages deleted: {count, number}": { args: { count: number }; marks: never };
  "It does not go on now. The server tries again by itself; its checks say why.": {
    args: null;
    marks: never;
  };
  "Only owners decide how long messages are kept.": { args: null; marks: never };
  "What is older is deleted for everyone, in channels and in direct messages. A shorter time deletes only after a day: until then, a longer one takes it back.": {
    args: null;
    marks: never;
  };
  "How long messages are kept: {time}": { args: { time: string }; marks: never };
  "In direct messages, and in the channels without a time of their own.": { args: null; marks: never };
  "Change …": { args: null; marks: never };
  "How long channels keep messages": { args: null; marks: never };
  Kept: { args: null; marks: never };
  "Decided by": { args: null; marks: never };
  "The channel": { args: null; marks: never };
  "No channels": { args: null; marks: never };
  "What waits to be deleted could not be loaded.": { args: null; marks: never };
  "Until {time}, nothing is deleted: messages came by an import or from a backup.": {
    args: { time: string };
    marks: never;
  };
  "{place}: kept until {time} as before: {kept}.": {
    args: { place: string; time: string; kept: string };
    marks: never;
  };
  "Delete now …": { args: null; marks: never };
  "Delete now: {place}": { args: { place: string }; marks: never };
  "Delete now what is too old?": { args: null; marks: never };
  "Delete now": { args: null; marks: never };
  "{place}: what is older than the time that is set is deleted for everyone within an hour, and cannot be brought back.": {
    args: { place: string };
    marks: never;
  };
  "As the organization ({time})": { args: { time: string }; marks: never };
  "Another number of days": { args: null; marks: never };
  Days: { args: null; marks: never };
  "Write a number of days, from 1 to {most, number}.": { args: { most: number }; marks: never };
  "It is still counted what goes.": { args: null; marks: never };
  "Save, and delete": { args: null; marks: never };
  "Delete within an hour, not in a day": { args: null; marks: never };
  "Then it cannot be taken back.": { args: null; marks: never };
  "This deletes nothing now.": { args: null; marks: never };
  "No message is older than {time}.": { args: { time: string }; marks: never };
  "{count, plural, one {# message is older than {time}, and is deleted for everyone.} other {# messages are older than {time}, and are deleted for everyone.}}": {
    args: { count: number; time: string };
    marks: never;
  };
  "The oldest is from {day}.": { args: { day: string }; marks: never };
  "{count, plural, one {# file is linked from no other message: only who uploaded it can open it afterwards.} other {# files are linked from no other message: only who uploaded them can open them afterwards.}}": {
    args: { count: number };
    marks: never;
  };
  "How long messages in {channel} are kept": { args: { channel: string }; marks: never };
  "{name} is number {place, number} of {count, number} now.": {
    args: { name: string; place: number; count: number };
    marks: never;
  };
  "Edit {name}": { args: { name: string }; marks: never };
  "Delete {name}": { args: { name: string }; marks: never };
  Linkifiers: { args: null; marks: never };
  "Where a text fits a pattern, it becomes a link: {example} to an issue, say. Where several fit, the first one in the list makes the link.": {
    args: { example: string };
    marks: never;
  };
  "Add a linkifier": { args: null; marks: never };
  "No linkifiers yet": { args: null; marks: never };
  "Try them": { args: null; marks: never };
  "Delete this linkifier?": { args: null; marks: never };
  "Messages that were sent keep their links. New ones get none.": { args: null; marks: never };
  "Change the linkifier": { args: null; marks: never };
  "New linkifier": { args: null; marks: never };
  Pattern: { args: null; marks: never };
  "A regular expression as in Python, with named groups: {example}": {
    args: { example: string };
    marks: never;
  };
  "Address of the link": { args: null; marks: never };
  "With the groups in braces: {example}": { args: { example: string }; marks: never };
  "A text to try": { args: null; marks: never };
  "Nothing in this text becomes a link.": { args: null; marks: never };
  "Links in this text": { args: null; marks: never };
  "Code playgrounds": { args: null; marks: never };
  "Sites to which apps can lead from a block of code, to run it there. The site gets the code.": {
    args: null;
    marks: never;
  };
  "Add a playground": { args: null; marks: never };
  "No playgrounds yet": { args: null; marks: never };
  "New playground": { args: null; marks: never };
  "Blocks of code in {language} no longer lead there.": { args: { language: string }; marks: never };
  "Language of the code": { args: null; marks: never };
  "As behind the backticks that open a block, such as {example}.": {
    args: { example: string };
    marks: never;
  };
  "Address of the site": { args: null; marks: never };
  "With the code in braces: {example}": { args: { example: string }; marks: never };
  "Addresses of all domains may join. To limit that to these, turn on “{setting}”.": {
    args: { setting: string };
    marks: never;
  };
  "What people read, such as “Rust playground”.": { args: null; marks: never };
  "Test event sent": { args: null; marks: never };
  "Webhook tried": { args: null; marks: never };
  "Report dismissed": { args: null; marks: never };
  "All profile fields": { args: null; marks: never };
  "There is no such profile field": { args: null; marks: never };
  "What people say of themselves in their settings. Others read it on their card.": {
    args: null;
    marks: never;
  };
  "Add a profile field": { args: null; marks: never };
  "No profile fields yet": { args: null; marks: never };
  "Profile fields": { args: null; marks: never };
  "Delete {name}?": { args: { name: string }; marks: never };
  "Nobody has filled it in.": { args: null; marks: never };
  "{count, plural, one {# person has filled it in: that is deleted for good.} other {# people have filled it in: all of that is deleted for good.}}": {
    args: { count: number };
    marks: never;
  };
  "Short text": { args: null; marks: never };
  "Long text": { args: null; marks: never };
  "List of choices": { args: null; marks: never };
  "Web address": { args: null; marks: never };
  "Account elsewhere": { args: null; marks: never };
  Pronouns: { args: null; marks: never };
  "The profile field is saved.": { args: null; marks: never };
  "New profile field": { args: null; marks: never };
  "Type|of a profile field": { args: null; marks: never };
  Label: { args: null; marks: never };
  "Hint|of a profile field": { args: null; marks: never };
  "It stands below the field, as this does here.": { args: null; marks: never };
  "{count, plural, one {Remove # choice?} other {Remove # choices?}}": {
    args: { count: number };
    marks: never;
  };
  "Who has chosen one of them has no answer any more:": { args: null; marks: never };
  "Also in short profiles": { args: null; marks: never };
  "In apps that have them. At most two fields.": { args: null; marks: never };
  "People are asked to fill it in": { args: null; marks: never };
  "People fill it in themselves": { args: null; marks: never };
  "Otherwise only administrators do.": { args: null; marks: never };
  "Its label and address are given by the site.": { args: null; marks: never };
  Site: { args: null; marks: never };
  "Another site": { args: null; marks: never };
  "Address of an account": { args: null; marks: never };
  "With {mark} for the name of the account: {example}": {
    args: { mark: string; example: string };
    marks: never;
  };
  Choices: { args: null; marks: never };
  "Choice {number, number}": { args: { number: number }; marks: never };
  "Add a choice": { args: null; marks: never };
  "Address and password": { args: null; marks: never };
  "Single sign-on": { args: null; marks: never };
  "The last way stays on.": { args: null; marks: never };
  "Ways to sign in": { args: null; marks: never };
  "For single sign-on, whoever runs the server names a provider in its configuration.": {
    args: null;
    marks: never;
  };
  "At {providers}, as the server’s configuration says.": { args: { providers: string }; marks: never };
  "Turn off {way}?": { args: { way: string }; marks: never };
  "You have not signed in at a provider yet. Do that first: otherwise you might lock yourself out.": {
    args: null;
    marks: never;
  };
  "You have no password yet. Choose one in your settings first: otherwise you would lock yourself out.": {
    args: null;
    marks: never;
  };
  "Everybody has signed in in another way, or can.": { args: null; marks: never };
  "{count, plural, one {# person has never signed in at a provider, and can only go on if it knows their address.} other {# people have never signed in at a provider, and can only go on if it knows their addresses.}}": {
    args: { count: number };
    marks: never;
  };
  "{count, plural, one {# person has no password, and needs one to sign in again.} other {# people have no password, and need one to sign in again.}}": {
    args: { count: number };
    marks: never;
  };
  "Who is signed in stays signed in, and keys for programs work on.": { args: null; marks: never };
  "Everybody who signs in by password or link needs a second step": { args: null; marks: never };
  "Everybody has set it up.": { args: null; marks: never };
  "{count, plural, one {# person has not set it up, and then does so at the next sign-in.} other {# people have not set it up, and then do so at the next sign-in.}}": {
    args: { count: number };
    marks: never;
  };
  "Please fill this in.": { args: null; marks: never };
  Statistics: { args: null; marks: never };
  "Messages a day": { args: null; marks: never };
  "Of these, direct messages": { args: null; marks: never };
  "Active on the day": { args: null; marks: never };
  "Active in the week": { args: null; marks: never };
  "Wrote something, bots too": { args: null; marks: never };
  "Members and guests": { args: null; marks: never };
  "Channels with messages": { args: null; marks: never };
  "Of the last": { args: null; marks: never };
  "The server is counting what was sent before: this fills while it does.": { args: null; marks: never };
  "Counted every hour, last {time}. Days begin at midnight UTC.": { args: { time: string }; marks: never };
  Storage: { args: null; marks: never };
  Pictures: { args: null; marks: never };
  Videos: { args: null; marks: never };
  Sounds: { args: null; marks: never };
  "Other files": { args: null; marks: never };
  "Taking the name out of reports": { args: null; marks: never };
  "Groups of channels for new people": { args: null; marks: never };
  "Apps can offer these to people who join: who chooses one is subscribed to all of its channels.": {
    args: null;
    marks: never;
  };
  "Add a group of channels": { args: null; marks: never };
  "The channels stay, and so do those who are in them.": { args: null; marks: never };
  "Change the group of channels": { args: null; marks: never };
  "New group of channels": { args: null; marks: never };
  "Add a channel": { args: null; marks: never };
  "Public ones, to which new people are not subscribed anyway.": { args: null; marks: never };
  "They have agreed to the export of their private data.": { args: null; marks: never };
  "Download their data": { args: null; marks: never };
  "Settings of people changed": { args: null; marks: never };
  "People are found by it, too": { args: null; marks: never };
  "Where one writes a mention.": { args: null; marks: never };
  "Example of a text": { args: null; marks: never };
  "A text that becomes a link: {example}": { args: { example: string }; marks: never };
  "Short form": { args: null; marks: never };
  "What a pasted address becomes, with the groups in braces: {example}": {
    args: { example: string };
    marks: never;
  };
  "Other addresses": { args: null; marks: never };
  "One on each line. They become the short form, too, when somebody pastes them.": {
    args: null;
    marks: never;
  };
  "Deleted user": { args: null; marks: never };
  "This person was erased. Nobody can change or reopen the account.": { args: null; marks: never };
  "Only people can be erased. Deactivate the bot instead.": { args: null; marks: never };
  "You cannot erase yourself. Another owner of the organization can.": { args: null; marks: never };
  "This has begun, but makes no progress. Please try again later.": { args: null; marks: never };
  "Only the data of people can be exported.": { args: null; marks: never };
  "This person has not agreed to the export of their private data.": { args: null; marks: never };
  "The data of another person is being exported. Please try again later.": { args: null; marks: never };
  "They have not agreed to the export of their private data, so it cannot be downloaded here, not even by owners. Those who run the server have all data anyway. This command writes it to a file, and the audit log says so:": {
    args: null;
    marks: never;
  };
  "Their data": { args: null; marks: never };
  "A file with all that is theirs: account, settings, messages, drafts. The server keeps no copy.": {
    args: null;
    marks: never;
  };
  "Only owners can export a person’s data.": { args: null; marks: never };
  "Their data is downloaded. The audit log says so.": { args: null; marks: never };
  "The server writes the file …": { args: null; marks: never };
  "Received: {size}": { args: { size: string }; marks: never };
  "They can agree in their settings, under privacy, at “{setting}”.": {
    args: { setting: string };
    marks: never;
  };
  Snippets: { args: null; marks: never };
  "Snippets …": { args: null; marks: never };
  "Find a snippet": { args: null; marks: never };
  "Save what is written": { args: null; marks: never };
  "Save a snippet": { args: null; marks: never };
  "Change the snippet": { args: null; marks: never };
  "Title|of a snippet": { args: null; marks: never };
  "Text|of a snippet": { args: null; marks: never };
  "Snippet saved.": { args: null; marks: never };
  "Texts that you write again and again: save one here, and insert it with two keys.": {
    args: null;
    marks: never;
  };
  "Texts for messages that you write again and again. The composer's menu of formats inserts them.": {
    args: null;
    marks: never;
  };
  "Change the snippet {name}": { args: { name: string }; marks: never };
  "Delete the snippet {name}": { args: { name: string }; marks: never };
  "Add a snippet": { args: null; marks: never };
  "Delete the snippet?": { args: null; marks: never };
  Reports: { args: null; marks: never };
  "{count, plural, one {{shown}<rest> open report</rest>} other {{shown}<rest> open reports</rest>}}": {
    args: { count: number; shown: string };
    marks: "rest";
  };
  "Please keep to the customs of our organization.": { args: null; marks: never };
  "Please write what the warning says.": { args: null; marks: never };
  "The report is handled.": { args: null; marks: never };
  "Handle this report": { args: null; marks: never };
  "Mark as handled": { args: null; marks: never };
  "Delete the message for everyone": { args: null; marks: never };
  "It cannot be brought back.": { args: null; marks: never };
  "Warn {name}": { args: { name: string }; marks: never };
  "By a direct message of the Notification Bot, with the message; it does not say who reported it.": {
    args: null;
    marks: never;
  };
  "What the warning says": { args: null; marks: never };
  "Deactivate the account of {name}": { args: { name: string }; marks: never };
  "Note for other moderators": { args: null; marks: never };
  "{count, plural, one {# other open report of this message is handled, too.} other {# other open reports of this message are handled, too.}}": {
    args: { count: number };
    marks: never;
  };
  "Who reported it hears whether something was done, but not what or by whom.": { args: null; marks: never };
  "The report is dismissed.": { args: null; marks: never };
  "Dismiss this report": { args: null; marks: never };
  "Dismiss|a report": { args: null; marks: never };
  "Why nothing is to be done": { args: null; marks: never };
  "Only moderators read this.": { args: null; marks: never };
  "Who reported it hears that nothing was done, but not why or by whom.": { args: null; marks: never };
  "Message of {name}": { args: { name: string }; marks: never };
  "No open reports": { args: null; marks: never };
  "Nothing was reported": { args: null; marks: never };
  "What people report to the moderators is listed here.": { args: null; marks: never };
  "Show older reports": { args: null; marks: never };
  "Message|that was reported": { args: null; marks: never };
  "No longer kept": { args: null; marks: never };
  "Written by": { args: null; marks: never };
  "Reported by": { args: null; marks: never };
  State: { args: null; marks: never };
  "Open reports": { args: null; marks: never };
  "Handled reports": { args: null; marks: never };
  "All reports": { args: null; marks: never };
  "All reasons": { args: null; marks: never };
  "Whose messages were reported": { args: null; marks: never };
  "Who reported them": { args: null; marks: never };
  "Sender warned": { args: null; marks: never };
  "Open|report": { args: null; marks: never };
  "Dismissed|report": { args: null; marks: never };
  "Opened again": { args: null; marks: never };
  "Handled|report": { args: null; marks: never };
  "The report is open again.": { args: null; marks: never };
  "What the reporter wrote": { args: null; marks: never };
  "Where|it was": { args: null; marks: never };
  "As it was reported": { args: null; marks: never };
  "The message as it was then is no longer kept.": { args: null; marks: never };
  "As it is now": { args: null; marks: never };
  "The message is deleted.": { args: null; marks: never };
  "You cannot read it where it is now: you see only what was reported.": { args: null; marks: never };
  "What was decided": { args: null; marks: never };
  "Handle …": { args: null; marks: never };
  "Dismiss …": { args: null; marks: never };
  "Open again": { args: null; marks: never };
  "Note|report": { args: null; marks: never };
  "Warning|report": { args: null; marks: never };
  "{count, plural, one {Dismiss # report} other {Dismiss # reports}}": {
    args: { count: number };
    marks: never;
  };
  "Sent|a message": { args: null; marks: never };
  "Left out": { args: null; marks: never };
  "Came again|an event": { args: null; marks: never };
  "Nothing to say": { args: null; marks: never };
  "Unknown event": { args: null; marks: never };
  Refused: { args: null; marks: never };
  Answered: { args: null; marks: never };
  "No reply": { args: null; marks: never };
  "Is tried again": { args: null; marks: never };
  Failed: { args: null; marks: never };
  "A mention": { args: null; marks: never };
  "A direct message": { args: null; marks: never };
  "See the message": { args: null; marks: never };
  "Last calls": { args: null; marks: never };
  "None in the last 24 hours.": { args: null; marks: never };
  "Test|of a bot": { args: null; marks: never };
  "Type|of a bot": { args: null; marks: never };
  "All types": { args: null; marks: never };
  "No bots": { args: null; marks: never };
  "Incoming webhook": { args: null; marks: never };
  "Only writes: for tools that post what happens there.": { args: null; marks: never };
  "Outgoing webhook": { args: null; marks: never };
  "The server calls an address when somebody mentions the bot or writes to it, and posts the reply.": {
    args: null;
    marks: never;
  };
  "Generic bot": { args: null; marks: never };
  "For programs that use the API: may do what its owner may.": { args: null; marks: never };
  "At {tool}: {where}. The address goes into “{field}”.": {
    args: { tool: string; where: string; field: string };
    marks: never;
  };
  "Enter this there, too, or run it:": { args: null; marks: never };
  "No tool has this name. For a program of your own, choose “any JSON”.": { args: null; marks: never };
  "At the tool, where it asks for the address of an incoming webhook of Slack.": { args: null; marks: never };
  "In any program that can post JSON. With “&title_field=a.b” at its end, the field b within a becomes the title.": {
    args: null;
    marks: never;
  };
  "Events of a tool": { args: null; marks: never };
  Tool: { args: null; marks: never };
  "None: to the owner, as direct messages": { args: null; marks: never };
  "Empty: each event has the topic of what it is about.": { args: null; marks: never };
  "In the place of KEY comes the bot’s API key. If you do not have it, make a new one.": {
    args: null;
    marks: never;
  };
  "{count, plural, one {# kind of event is} other {# kinds of events are}} left out as unimportant, unless the address asks for them.": {
    args: { count: number };
    marks: never;
  };
  "Address copied.": { args: null; marks: never };
  "Copy the address": { args: null; marks: never };
  "Send a test event": { args: null; marks: never };
  "Sent. <link>See the message</link>": { args: null; marks: "link" };
  "New bot": { args: null; marks: never };
  "Make the bot": { args: null; marks: never };
  "First part of its address": { args: null; marks: never };
  "Latin letters, digits, dots and dashes. The server adds “-bot”.": { args: null; marks: never };
  "Address that is called": { args: null; marks: never };
  "Format|of calls": { args: null; marks: never };
  "All bots": { args: null; marks: never };
  "API key": { args: null; marks: never };
  "The server does not know the key, only whether one is right. If it is lost, make a new one.": {
    args: null;
    marks: never;
  };
  "Make a new key for {name}?": { args: { name: string }; marks: never };
  "What uses the key that it has now stops working, until it is given the new one.": {
    args: null;
    marks: never;
  };
  "Whose bot it is": { args: null; marks: never };
  "The owner may change the bot, and is told when its calls fail. It may be where they may.": {
    args: null;
    marks: never;
  };
  "Change the owner …": { args: null; marks: never };
  "Who shall own {name}?": { args: { name: string }; marks: never };
  "Change the owner": { args: null; marks: never };
  "Choose a person.": { args: null; marks: never };
  "{bot} belongs to {name} now.": { args: { bot: string; name: string }; marks: never };
  "New owner": { args: null; marks: never };
  "Its key and the address that it calls end: the new owner makes them anew.": { args: null; marks: never };
  "Its key stays, and who knows it may go on using it: the new owner is told.": { args: null; marks: never };
  "Its keys end. Its messages stay.": { args: null; marks: never };
  "It needs a new key then.": { args: null; marks: never };
  "Administrators can bring it back.": { args: null; marks: never };
  "Form, as of Slack": { args: null; marks: never };
  "Calls to a service": { args: null; marks: never };
  "Nothing is called until the bot has an address.": { args: null; marks: never };
  "Each call has this token, by which the service knows that it comes from here.": {
    args: null;
    marks: never;
  };
  "Token copied.": { args: null; marks: never };
  "Copy the token": { args: null; marks: never };
  "Try a call": { args: null; marks: never };
  "The call failed:": { args: null; marks: never };
  "It answered in {milliseconds, number} ms, with no reply.": {
    args: { milliseconds: number };
    marks: never;
  };
  "It answered in {milliseconds, number} ms. The bot would write:": {
    args: { milliseconds: number };
    marks: never;
  };
  "This bot cannot be shown": { args: null; marks: never };
  "There is no such bot, or it belongs to somebody else.": { args: null; marks: never };
  "You have no bots, and may not make any.": { args: null; marks: never };
  "Your bots": { args: null; marks: never };
  "Programs that write here, or answer when they are mentioned.": { args: null; marks: never };
  "You have no bots.": { args: null; marks: never };
  "Make and change bots": { args: null; marks: never };
  "Address for the tool:": { args: null; marks: never };
  Signatures: { args: null; marks: never };
  "Only events with the right signature are taken.": { args: null; marks: never };
  "A template for any JSON": { args: null; marks: never };
  "What is posted to the address of “any JSON” becomes this message. {example} stands for a field, and {other} for a text if the field is absent.": {
    args: { example: string; other: string };
    marks: never;
  };
  "Template of the topic": { args: null; marks: never };
  "Template of the message": { args: null; marks: never };
  "Empty: the topic is JSON.": { args: null; marks: never };
  "Remove the template …": { args: null; marks: never };
  "Remove the template of {name}?": { args: { name: string }; marks: never };
  "Save the template": { args: null; marks: never };
  "Remove the template": { args: null; marks: never };
  "What is posted becomes a block of code then.": { args: null; marks: never };
  "Only the owner sees what was posted, and can try the template on it.": { args: null; marks: never };
  "Nothing was posted to it in the last 24 hours. Once something is, try the template on it here.": {
    args: null;
    marks: never;
  };
  "What was posted in the last 24 hours is too large to be kept.": { args: null; marks: never };
  "Try it on what was posted": { args: null; marks: never };
  "What was posted": { args: null; marks: never };
  "Try the template": { args: null; marks: never };
  "Nothing is in it, so no message would be sent.": { args: null; marks: never };
  "Topic: {topic}": { args: { topic: string }; marks: never };
  "Absent there: {fields}.": { args: { fields: string }; marks: never };
  "Tools need not sign their events: anyone who knows the address can post as this bot.": {
    args: null;
    marks: never;
  };
  "Change the secret …": { args: null; marks: never };
  "Require signatures …": { args: null; marks: never };
  "Require no signatures …": { args: null; marks: never };
  "Take events without signatures as {name}?": { args: { name: string }; marks: never };
  "Require no signatures": { args: null; marks: never };
  "Anyone who knows the address can post as this bot then.": { args: null; marks: never };
  "Enter this secret at the tool, too. It is not shown again.": { args: null; marks: never };
  "Secret copied.": { args: null; marks: never };
  "Copy the secret": { args: null; marks: never };
  "Change the secret of {name}?": { args: { name: string }; marks: never };
  "Require signatures for {name}?": { args: { name: string }; marks: never };
  "Change the secret": { args: null; marks: never };
  "Require signatures": { args: null; marks: never };
  "Events that are signed with the current secret are refused until the tool has the new one.": {
    args: null;
    marks: never;
  };
  "Events that are not signed with the secret are refused, as are those of tools that cannot sign.": {
    args: null;
    marks: never;
  };
  Secret: { args: null; marks: never };
  "Some tools make one: enter it here. If this is empty, the server makes one.": { args: null; marks: never };
}

export const english: Readonly<Record<string, CompiledMessage>> = {
  "{count, plural, one {# person} other {# people}}": [
    ["count", "plural", { one: ["#", " person"], other: ["#", " people"] }],
  ],
  "{count, plural, one {and # other} other {and # others}}": [
    ["count", "plural", { one: ["and ", "#", " other"], other: ["and ", "#", " others"] }],
  ],
  "Remove {name}": ["Remove ", ["name"]],
  "Mute {name}": ["Mute ", ["name"]],
  "{name} (you)": [["name"], " (you)"],
  "{channel} › {topic}": [["channel"], " › ", ["topic"]],
  "Tomorrow, {time}": ["Tomorrow, ", ["time"]],
  "{count, plural, one {# suggestion} other {# suggestions}}": [
    ["count", "plural", { one: ["#", " suggestion"], other: ["#", " suggestions"] }],
  ],
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
  "{organization} is getting ready": [["organization"], " is getting ready"],
  "Scan it with your app, or type this key: <key></key>": [
    "Scan it with your app, or type this key: <key></key>",
  ],
  "Sign in as {name}": ["Sign in as ", ["name"]],
  "Ask the person who gave it to you for a new one. With a password you can <link>sign in here</link>.": [
    "Ask the person who gave it to you for a new one. With a password you can <link>sign in here</link>.",
  ],
  "The account of {full_name}, {email}, gets the address {new_email}. Confirm it only if this is your account.":
    [
      "The account of ",
      ["full_name"],
      ", ",
      ["email"],
      ", gets the address ",
      ["new_email"],
      ". Confirm it only if this is your account.",
    ],
  "A program asked for this change, so the password is needed too. Or <link>sign in</link>, and open the link again.":
    [
      "A program asked for this change, so the password is needed too. Or <link>sign in</link>, and open the link again.",
    ],
  "From now on, sign in as {email}.": ["From now on, sign in as ", ["email"], "."],
  "{organization} will no longer send you mails about messages that you have missed.": [
    ["organization"],
    " will no longer send you mails about messages that you have missed.",
  ],
  "{organization} will no longer send you mails about new logins to your account.": [
    ["organization"],
    " will no longer send you mails about new logins to your account.",
  ],
  "{organization} no longer sends you mails about messages that you have missed. Your settings there turn them on again.":
    [
      ["organization"],
      " no longer sends you mails about messages that you have missed. Your settings there turn them on again.",
    ],
  "{organization} no longer sends you mails about new logins to your account. Your settings there turn them on again.":
    [
      ["organization"],
      " no longer sends you mails about new logins to your account. Your settings there turn them on again.",
    ],
  "Join {organization}": ["Join ", ["organization"]],
  "Sign in as {email} to join.": ["Sign in as ", ["email"], " to join."],
  "There is an account with the address {email} already, and nobody has proved that the address belongs to it. Enter its password, and from now on {label} signs you in to it.":
    [
      "There is an account with the address ",
      ["email"],
      " already, and nobody has proved that the address belongs to it. Enter its password, and from now on ",
      ["label"],
      " signs you in to it.",
    ],
  "If you do not know it, <link>choose a new one</link>, and sign in again.": [
    "If you do not know it, <link>choose a new one</link>, and sign in again.",
  ],
  "API usage exceeded rate limit. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.":
    [
      "API usage exceeded rate limit. Try again in ",
      ["seconds", "plural", { one: [["seconds"], " second"], other: [["seconds"], " seconds"] }],
      ".",
    ],
  "There were too many attempts. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.":
    [
      "There were too many attempts. Try again in ",
      ["seconds", "plural", { one: [["seconds"], " second"], other: [["seconds"], " seconds"] }],
      ".",
    ],
  "There were too many codes. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.":
    [
      "There were too many codes. Try again in ",
      ["seconds", "plural", { one: [["seconds"], " second"], other: [["seconds"], " seconds"] }],
      ".",
    ],
  "You have changed your address too often. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.":
    [
      "You have changed your address too often. Try again in ",
      ["seconds", "plural", { one: [["seconds"], " second"], other: [["seconds"], " seconds"] }],
      ".",
    ],
  "Email ''{address}'' already in use": ["Email '", ["address"], "' already in use"],
  "Only addresses of this organization's domains may join, not ''{email}''.": [
    "Only addresses of this organization's domains may join, not '",
    ["email"],
    "'.",
  ],
  "''{email}'' is a disposable address and may not join. Please use a permanent one.": [
    "'",
    ["email"],
    "' is a disposable address and may not join. Please use a permanent one.",
  ],
  "This invitation is for the address {email}.": ["This invitation is for the address ", ["email"], "."],
  "To change the address, give the password of {full_name}'s account.": [
    "To change the address, give the password of ",
    ["full_name"],
    "'s account.",
  ],
  "{provider} did not say who you are. Tell an administrator.": [
    ["provider"],
    " did not say who you are. Tell an administrator.",
  ],
  "{provider} did not send your email address.": [["provider"], " did not send your email address."],
  "{provider} has not verified that {email} is your address. Have it verified there, and sign in again.": [
    ["provider"],
    " has not verified that ",
    ["email"],
    " is your address. Have it verified there, and sign in again.",
  ],
  "There is no account for {email}, and joining needs an invitation. Ask an administrator for one.": [
    "There is no account for ",
    ["email"],
    ", and joining needs an invitation. Ask an administrator for one.",
  ],
  "{provider} did not ask you who you are.": [["provider"], " did not ask you who you are."],
  "There is an account with the address {email} already, but nobody has proved that the address belongs to it. If it is yours, choose a password for it by \"Forgot your password?\", and sign in again. Or ask whoever runs the server: ''confab user address {email} --proved'' lets you in.":
    [
      "There is an account with the address ",
      ["email"],
      ' already, but nobody has proved that the address belongs to it. If it is yours, choose a password for it by "Forgot your password?", and sign in again. Or ask whoever runs the server: \'confab user address ',
      ["email"],
      " --proved' lets you in.",
    ],
  "There is an account with the address {email} already, but nobody has proved that the address belongs to it. Ask whoever runs the server: ''confab user address {email} --proved'' lets you in.":
    [
      "There is an account with the address ",
      ["email"],
      " already, but nobody has proved that the address belongs to it. Ask whoever runs the server: 'confab user address ",
      ["email"],
      " --proved' lets you in.",
    ],
  "You did not agree at {provider}, so you are not signed in.": [
    "You did not agree at ",
    ["provider"],
    ", so you are not signed in.",
  ],
  "The answer of {provider} belongs to another sign-in. Please start again.": [
    "The answer of ",
    ["provider"],
    " belongs to another sign-in. Please start again.",
  ],
  "The answer of {provider} is meant for another program, so it was refused. Tell an administrator: the provider may be set up wrongly.":
    [
      "The answer of ",
      ["provider"],
      " is meant for another program, so it was refused. Tell an administrator: the provider may be set up wrongly.",
    ],
  "The answer of {provider} is not valid at this time. Please try again; if that does not help, tell an administrator that a clock may be wrong.":
    [
      "The answer of ",
      ["provider"],
      " is not valid at this time. Please try again; if that does not help, tell an administrator that a clock may be wrong.",
    ],
  "{provider} did not sign you in. Please try again; the server's log says why it was refused.": [
    ["provider"],
    " did not sign you in. Please try again; the server's log says why it was refused.",
  ],
  "{provider} cannot be reached just now. Try again in a moment, or sign in another way.": [
    ["provider"],
    " cannot be reached just now. Try again in a moment, or sign in another way.",
  ],
  "<sender></sender> <link>said</link>:": ["<sender></sender> <link>said</link>:"],
  "Message {people}": ["Message ", ["people"]],
  "Message to {place}": ["Message to ", ["place"]],
  "to <place>{place}</place>": ["to <place>", ["place"], "</place>"],
  "{count} left": [["count"], " left"],
  "Subscribe {name} and send": ["Subscribe ", ["name"], " and send"],
  "{count, plural, one {This notifies # person of {channel}.} other {This notifies all # people of {channel}.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["This notifies ", "#", " person of ", ["channel"], "."],
          other: ["This notifies all ", "#", " people of ", ["channel"], "."],
        },
      ],
    ],
  "{count, plural, one {{names} is not subscribed to {channel} and will not see this.} other {{names} are not subscribed to {channel} and will not see this.}}":
    [
      [
        "count",
        "plural",
        {
          one: [["names"], " is not subscribed to ", ["channel"], " and will not see this."],
          other: [["names"], " are not subscribed to ", ["channel"], " and will not see this."],
        },
      ],
    ],
  "{count, plural, one {{names} is not subscribed to {channel} and may not notice this.} other {{names} are not subscribed to {channel} and may not notice this.}}":
    [
      [
        "count",
        "plural",
        {
          one: [["names"], " is not subscribed to ", ["channel"], " and may not notice this."],
          other: [["names"], " are not subscribed to ", ["channel"], " and may not notice this."],
        },
      ],
    ],
  "{name} is writing …": [["name"], " is writing …"],
  "{first} and {second} are writing …": [["first"], " and ", ["second"], " are writing …"],
  "Your last message cannot be edited. {reason}": ["Your last message cannot be edited. ", ["reason"]],
  "Sending in {seconds, plural, one {# second} other {# seconds}}": [
    "Sending in ",
    ["seconds", "plural", { one: ["#", " second"], other: ["#", " seconds"] }],
  ],
  "{day}, {time}": [["day"], ", ", ["time"]],
  "Scheduled for {time}.": ["Scheduled for ", ["time"], "."],
  "Uploading {name}": ["Uploading ", ["name"]],
  "Uploading {name} …": ["Uploading ", ["name"], " …"],
  "Dismiss {name}": ["Dismiss ", ["name"]],
  "Cancel {name}": ["Cancel ", ["name"]],
  "Your files take up {percent} of the space that you may use: {used} of {quota}.": [
    "Your files take up ",
    ["percent"],
    " of the space that you may use: ",
    ["used"],
    " of ",
    ["quota"],
    ".",
  ],
  "The organization’s files take up {percent} of the space that they may use: {used} of {quota}.": [
    "The organization’s files take up ",
    ["percent"],
    " of the space that they may use: ",
    ["used"],
    " of ",
    ["quota"],
    ".",
  ],
  "Code|of a program": ["Code"],
  "In a channel|where it goes": ["In a channel"],
  "{send} sends": [["send"], " sends"],
  "{send} sends, {line} starts a line": [["send"], " sends, ", ["line"], " starts a line"],
  "You are reminded {time}.": ["You are reminded ", ["time"], "."],
  "{count, plural, one {Read by # person} other {Read by # people}}": [
    ["count", "plural", { one: ["Read by ", "#", " person"], other: ["Read by ", "#", " people"] }],
  ],
  "Only the moderators learn that you reported this message of {name}.": [
    "Only the moderators learn that you reported this message of ",
    ["name"],
    ".",
  ],
  "All messages in <place>{place}</place> disappear for everyone, and cannot be brought back.": [
    "All messages in <place>",
    ["place"],
    "</place> disappear for everyone, and cannot be brought back.",
  ],
  "The topic {topic} is deleted.": ["The topic ", ["topic"], " is deleted."],
  "{who} wrote, {time}": [["who"], " wrote, ", ["time"]],
  "{who} edited, {time}": [["who"], " edited, ", ["time"]],
  "{who} moved to {place}, {time}": [["who"], " moved to ", ["place"], ", ", ["time"]],
  "{who} edited and moved to {place}, {time}": [["who"], " edited and moved to ", ["place"], ", ", ["time"]],
  "You left {channel}.": ["You left ", ["channel"], "."],
  "Message|noun": ["Message"],
  "{count, plural, one {Marked # message as read.} other {Marked # messages as read.}}": [
    [
      "count",
      "plural",
      { one: ["Marked ", "#", " message as read."], other: ["Marked ", "#", " messages as read."] },
    ],
  ],
  "{count, plural, one {Mark # conversation as read?} other {Mark # conversations as read?}}": [
    [
      "count",
      "plural",
      { one: ["Mark ", "#", " conversation as read?"], other: ["Mark ", "#", " conversations as read?"] },
    ],
  ],
  "{count, plural, one {# message is unread there.} other {# messages are unread there.}}": [
    [
      "count",
      "plural",
      { one: ["#", " message is unread there."], other: ["#", " messages are unread there."] },
    ],
  ],
  "Poll: {question}": ["Poll: ", ["question"]],
  "{count, plural, one {# person voted} other {# people voted}}": [
    ["count", "plural", { one: ["#", " person voted"], other: ["#", " people voted"] }],
  ],
  "{count, plural, one {#<rest> vote: {names}</rest>} other {#<rest> votes: {names}</rest>}}": [
    [
      "count",
      "plural",
      {
        one: ["#", "<rest> vote: ", ["names"], "</rest>"],
        other: ["#", "<rest> votes: ", ["names"], "</rest>"],
      },
    ],
  ],
  "{count, plural, one {#<rest> vote</rest>} other {#<rest> votes</rest>}}": [
    ["count", "plural", { one: ["#", "<rest> vote</rest>"], other: ["#", "<rest> votes</rest>"] }],
  ],
  "List of tasks: {title}": ["List of tasks: ", ["title"]],
  "{done} of {count} done": [["done"], " of ", ["count"], " done"],
  "{name}, you are connected": [["name"], ", you are connected"],
  "{name}, you are not connected": [["name"], ", you are not connected"],
  "{count, plural, one {# more} other {# more}}": [
    ["count", "plural", { one: ["#", " more"], other: ["#", " more"] }],
  ],
  "{count, plural, one {# muted or inactive} other {# muted or inactive}}": [
    ["count", "plural", { one: ["#", " muted or inactive"], other: ["#", " muted or inactive"] }],
  ],
  "New topic in {channel}": ["New topic in ", ["channel"]],
  "About {channel}": ["About ", ["channel"]],
  "{count, plural, one {# topic} other {All # topics}}": [
    ["count", "plural", { one: ["#", " topic"], other: ["All ", "#", " topics"] }],
  ],
  "{count, plural, one {{shown}<rest> unread</rest>} other {{shown}<rest> unread</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> unread</rest>"], other: [["shown"], "<rest> unread</rest>"] },
    ],
  ],
  "{count, plural, one {{shown}<rest> mention</rest>} other {{shown}<rest> mentions</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> mention</rest>"], other: [["shown"], "<rest> mentions</rest>"] },
    ],
  ],
  "{count, plural, one {{shown}<rest> starred</rest>} other {{shown}<rest> starred</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> starred</rest>"], other: [["shown"], "<rest> starred</rest>"] },
    ],
  ],
  "{count, plural, one {{shown}<rest> draft</rest>} other {{shown}<rest> drafts</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> draft</rest>"], other: [["shown"], "<rest> drafts</rest>"] },
    ],
  ],
  "{count, plural, one {{shown}<rest> scheduled</rest>} other {{shown}<rest> scheduled</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> scheduled</rest>"], other: [["shown"], "<rest> scheduled</rest>"] },
    ],
  ],
  "{count, plural, one {{shown}<rest> reminder</rest>} other {{shown}<rest> reminders</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> reminder</rest>"], other: [["shown"], "<rest> reminders</rest>"] },
    ],
  ],
  "Sent to {conversation}.": ["Sent to ", ["conversation"], "."],
  "Reply to <name>{people}</name>": ["Reply to <name>", ["people"], "</name>"],
  "Reply in <name>{topic}</name>": ["Reply in <name>", ["topic"], "</name>"],
  "You are looking around without an account. <link>Sign in</link> to write and to react.": [
    "You are looking around without an account. <link>Sign in</link> to write and to react.",
  ],
  "Topic: {state}": ["Topic: ", ["state"]],
  "{name}, {time}": [["name"], ", ", ["time"]],
  "Not sent. {reason}": ["Not sent. ", ["reason"]],
  "{count, plural, one {# other} other {# others}}": [
    ["count", "plural", { one: ["#", " other"], other: ["#", " others"] }],
  ],
  "{people} reacted with {emoji}": [["people"], " reacted with ", ["emoji"]],
  "Next unread: <place>{conversation}</place>": ["Next unread: <place>", ["conversation"], "</place>"],
  "Jump to newest: {count, plural, one {# new message} other {# new messages}}": [
    "Jump to newest: ",
    ["count", "plural", { one: ["#", " new message"], other: ["#", " new messages"] }],
  ],
  "Started by <person>{name}</person> in <channel>{channel}</channel>": [
    "Started by <person>",
    ["name"],
    "</person> in <channel>",
    ["channel"],
    "</channel>",
  ],
  "{count, plural, one {# person has written} other {# people have written}}": [
    ["count", "plural", { one: ["#", " person has written"], other: ["#", " people have written"] }],
  ],
  "A new topic in <channel>{channel}</channel>. Write the first message below.": [
    "A new topic in <channel>",
    ["channel"],
    "</channel>. Write the first message below.",
  ],
  "Only you and {name} read what is written here.": [
    "Only you and ",
    ["name"],
    " read what is written here.",
  ],
  "{count, plural, one {# older topic: type a part of the name to find it.} other {# older topics: type a part of the name to find them.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " older topic: type a part of the name to find it."],
          other: ["#", " older topics: type a part of the name to find them."],
        },
      ],
    ],
  "{count, plural, one {# more: type a part of the name.} other {# more: type a part of the name.}}": [
    [
      "count",
      "plural",
      { one: ["#", " more: type a part of the name."], other: ["#", " more: type a part of the name."] },
    ],
  ],
  "{count, plural, one {# message a week} other {# messages a week}}": [
    ["count", "plural", { one: ["#", " message a week"], other: ["#", " messages a week"] }],
  ],
  "Join {channel}": ["Join ", ["channel"]],
  "Leave {channel}": ["Leave ", ["channel"]],
  "All|conversations": ["All"],
  "<sender>{name}</sender>:": ["<sender>", ["name"], "</sender>:"],
  "Poll: <question>{question}</question>": ["Poll: <question>", ["question"], "</question>"],
  "Tasks: <title>{title}</title>": ["Tasks: <title>", ["title"], "</title>"],
  "Also: {people}": ["Also: ", ["people"]],
  "Type words, or narrow it down: <example>from:Mel channel:harbour has:link is:unread</example>": [
    "Type words, or narrow it down: <example>from:Mel channel:harbour has:link is:unread</example>",
  ],
  "{count, plural, one {# message found} other {# messages found}}": [
    ["count", "plural", { one: ["#", " message found"], other: ["#", " messages found"] }],
  ],
  "{count, plural, one {#+ messages found} other {#+ messages found}}": [
    ["count", "plural", { one: ["#", "+ messages found"], other: ["#", "+ messages found"] }],
  ],
  "{date} by {person}": [["date"], " by ", ["person"]],
  "{count} a week": [["count"], " a week"],
  "{count} more: type a part of the name.": [["count"], " more: type a part of the name."],
  "{time} there": [["time"], " there"],
  "{name} is no longer muted.": [["name"], " is no longer muted."],
  "{name} is muted.": [["name"], " is muted."],
  "More about {name}": ["More about ", ["name"]],
  "{name} signs in without a code now.": [["name"], " signs in without a code now."],
  "Turn off two-step sign-in for {name}?": ["Turn off two-step sign-in for ", ["name"], "?"],
  "This is for somebody who has lost both their app and their recovery codes. Make sure that it is {name} who asks: their password alone signs them in until they set it up again.":
    [
      "This is for somebody who has lost both their app and their recovery codes. Make sure that it is ",
      ["name"],
      " who asks: their password alone signs them in until they set it up again.",
    ],
  "Owner|of a bot": ["Owner"],
  "Joined|the organization": ["Joined"],
  "{person} in {conversation}": [["person"], " in ", ["conversation"]],
  "Search messages for “{words}”": ["Search messages for “", ["words"], "”"],
  "Search|verb": ["Search"],
  "Sign in at {provider}": ["Sign in at ", ["provider"]],
  "Messages can be edited for {duration}.": ["Messages can be edited for ", ["duration"], "."],
  "Your settings say {setting}, this computer {zone}.": [
    "Your settings say ",
    ["setting"],
    ", this computer ",
    ["zone"],
    ".",
  ],
  "This topic is {topic} now.": ["This topic is ", ["topic"], " now."],
  "{organization} could not be opened": [["organization"], " could not be opened"],
  "Opening {organization}": ["Opening ", ["organization"]],
  "{title}, {number} of {count}": [["title"], ", ", ["number"], " of ", ["count"]],
  "{time} in your time zone, {zone}": [["time"], " in your time zone, ", ["zone"]],
  "Picture: {name}": ["Picture: ", ["name"]],
  "Code, {language}": ["Code, ", ["language"]],
  "No emoji is called “{name}”.": ["No emoji is called “", ["name"], "”."],
  "{address}, last seen {time}": [["address"], ", last seen ", ["time"]],
  "Sign out {device}, {address}": ["Sign out ", ["device"], ", ", ["address"]],
  "{count, number} more: type a part of the name.": [["count", "number"], " more: type a part of the name."],
  "{title} for {channel}": [["title"], " for ", ["channel"]],
  "Follow the link in the mail to {email}.": ["Follow the link in the mail to ", ["email"], "."],
  "Your new address {email} waits: follow the link in the mail to it, until {time}.": [
    "Your new address ",
    ["email"],
    " waits: follow the link in the mail to it, until ",
    ["time"],
    ".",
  ],
  "{key}: what uses it stops working at once.": [["key"], ": what uses it stops working at once."],
  "Made {day}, never used": ["Made ", ["day"], ", never used"],
  "Made {day}, last used {time}": ["Made ", ["day"], ", last used ", ["time"]],
  "End {key}, made {day}": ["End ", ["key"], ", made ", ["day"]],
  "{size, number} px": [["size", "number"], " px"],
  "{left, plural, one {One recovery code is left.} other {# recovery codes are left.}}": [
    ["left", "plural", { one: ["One recovery code is left."], other: ["#", " recovery codes are left."] }],
  ],
  "{left, plural, one {One recovery code is left.} other {# recovery codes are left.}} This organization demands two-step sign-in.":
    [
      ["left", "plural", { one: ["One recovery code is left."], other: ["#", " recovery codes are left."] }],
      " This organization demands two-step sign-in.",
    ],
  "{browser} on {system}": [["browser"], " on ", ["system"]],
  "Open {channel}": ["Open ", ["channel"]],
  "Who may read it: {readers}. Only those who administer the channel can change this.": [
    "Who may read it: ",
    ["readers"],
    ". Only those who administer the channel can change this.",
  ],
  "Archive {channel}?": ["Archive ", ["channel"], "?"],
  "{emoji} is added.": [["emoji"], " is added."],
  "Chosen: {file}": ["Chosen: ", ["file"]],
  "Move {name} up": ["Move ", ["name"], " up"],
  "Move {name} down": ["Move ", ["name"], " down"],
  "Archive {name}": ["Archive ", ["name"]],
  "Rename {name}": ["Rename ", ["name"]],
  "Bring back|a folder": ["Bring back"],
  "Bring back {name}": ["Bring back ", ["name"]],
  "Group {name}": ["Group ", ["name"]],
  "Deactivate {name}?": ["Deactivate ", ["name"], "?"],
  "{people}, for ever": [["people"], ", for ever"],
  "{people}, until {day}": [["people"], ", until ", ["day"]],
  "Revoke the invitation: {email}": ["Revoke the invitation: ", ["email"]],
  "All|versions": ["All"],
  "None|versions": ["None"],
  "{count, plural, =0 {Nobody will have it.} one {# person will have it.} other {# people will have it.}}": [
    [
      "count",
      "plural",
      {
        "0": ["Nobody will have it."],
        one: ["#", " person will have it."],
        other: ["#", " people will have it."],
      },
    ],
  ],
  "Gets it: {names}": ["Gets it: ", ["names"]],
  "Loses it: {names}": ["Loses it: ", ["names"]],
  "Now|the server": ["Now"],
  "{time} ago": [["time"], " ago"],
  "failed {time} ago": ["failed ", ["time"], " ago"],
  "answered {time} ago": ["answered ", ["time"], " ago"],
  "{last}, {count, plural, one {# waits} other {# wait}}": [
    ["last"],
    ", ",
    ["count", "plural", { one: ["#", " waits"], other: ["#", " wait"] }],
  ],
  "The mail server took a mail to {address}.": ["The mail server took a mail to ", ["address"], "."],
  "The mail server {problem}.": ["The mail server ", ["problem"], "."],
  "At most {value}": ["At most ", ["value"]],
  "not seen for {time}": ["not seen for ", ["time"]],
  "{lag, plural, =0 {up to date} one {# change behind} other {# changes behind}}": [
    ["lag", "plural", { "0": ["up to date"], one: ["#", " change behind"], other: ["#", " changes behind"] }],
  ],
  "All files together: {used} of {quota}.": ["All files together: ", ["used"], " of ", ["quota"], "."],
  "All files together: {used}.": ["All files together: ", ["used"], "."],
  "Owner|of a file": ["Owner"],
  "{count, plural, one {# file} other {# files}}, {size}: no message links to them, and no draft or scheduled message of their owners.":
    [
      ["count", "plural", { one: ["#", " file"], other: ["#", " files"] }],
      ", ",
      ["size"],
      ": no message links to them, and no draft or scheduled message of their owners.",
    ],
  "Delete {count, plural, one {# file} other {# files}} for good?": [
    "Delete ",
    ["count", "plural", { one: ["#", " file"], other: ["#", " files"] }],
    " for good?",
  ],
  "They take up {size}. Nobody can bring them back, and their owners’ lists no longer show them.": [
    "They take up ",
    ["size"],
    ". Nobody can bring them back, and their owners’ lists no longer show them.",
  ],
  "{count, plural, one {# file} other {# files}} deleted, {size}.": [
    ["count", "plural", { one: ["#", " file"], other: ["#", " files"] }],
    " deleted, ",
    ["size"],
    ".",
  ],
  "None|channel": ["None"],
  "Invitation|audit log": ["Invitation"],
  "Message|audit log": ["Message"],
  "File|audit log": ["File"],
  "Report|audit log": ["Report"],
  "Mail|audit log": ["Mail"],
  "Server|audit log": ["Server"],
  "Who|did it": ["Who"],
  "When|it happened": ["When"],
  "failed|export": ["failed"],
  "ready|export": ["ready"],
  "deleted|export": ["deleted"],
  "Delete the export of {time}": ["Delete the export of ", ["time"]],
  "{agreed, number} of {count, plural, one {# person has} other {# people have}} agreed to it in their settings.":
    [
      ["agreed", "number"],
      " of ",
      ["count", "plural", { one: ["#", " person has"], other: ["#", " people have"] }],
      " agreed to it in their settings.",
    ],
  "None|service": ["None"],
  "Subdomains of {domain}, too": ["Subdomains of ", ["domain"], ", too"],
  "{count, plural, one {The last one failed} other {The last # failed}}: {reason}": [
    ["count", "plural", { one: ["The last one failed"], other: ["The last ", "#", " failed"] }],
    ": ",
    ["reason"],
  ],
  "Valid until {time}": ["Valid until ", ["time"]],
  "None yet|a certificate": ["None yet"],
  "{count, plural, one {The last try failed} other {The last # tries failed}}: {reason} The next one is at {time}.":
    [
      ["count", "plural", { one: ["The last try failed"], other: ["The last ", "#", " tries failed"] }],
      ": ",
      ["reason"],
      " The next one is at ",
      ["time"],
      ".",
    ],
  "Made by this server|pictures": ["Made by this server"],
  "You have joined {channel}.": ["You have joined ", ["channel"], "."],
  "Hello {name},": ["Hello ", ["name"], ","],
  "{first} {second}": [["first"], " ", ["second"]],
  "{label}:": [["label"], ":"],
  "{name}: {value}": [["name"], ": ", ["value"]],
  "Open {organization}": ["Open ", ["organization"]],
  "New login to {organization}": ["New login to ", ["organization"]],
  "Somebody, probably you, logged in to your account {email}.": [
    "Somebody, probably you, logged in to your account ",
    ["email"],
    ".",
  ],
  "the email address of your account at {organization} has changed.": [
    "the email address of your account at ",
    ["organization"],
    " has changed.",
  ],
  "Your address at {organization} has changed": ["Your address at ", ["organization"], " has changed"],
  "the password of your account at {organization} has changed.": [
    "the password of your account at ",
    ["organization"],
    " has changed.",
  ],
  "the password of your account at {organization} was set by {person}.": [
    "the password of your account at ",
    ["organization"],
    " was set by ",
    ["person"],
    ".",
  ],
  "Your password at {organization} has changed": ["Your password at ", ["organization"], " has changed"],
  "a new API key was made for your account at {organization}. Programs that have it act as you, and the keys that you had no longer work.":
    [
      "a new API key was made for your account at ",
      ["organization"],
      ". Programs that have it act as you, and the keys that you had no longer work.",
    ],
  "a new API key was made by {person} for your account at {organization}. Programs that have it act as you, and the keys that you had no longer work.":
    [
      "a new API key was made by ",
      ["person"],
      " for your account at ",
      ["organization"],
      ". Programs that have it act as you, and the keys that you had no longer work.",
    ],
  "A new API key at {organization}": ["A new API key at ", ["organization"]],
  "Two-step sign-in at {organization} is on": ["Two-step sign-in at ", ["organization"], " is on"],
  "Two-step sign-in was turned on for your account at {organization}. From now on, signing in also needs a code from your app.":
    [
      "Two-step sign-in was turned on for your account at ",
      ["organization"],
      ". From now on, signing in also needs a code from your app.",
    ],
  "Two-step sign-in at {organization} is off": ["Two-step sign-in at ", ["organization"], " is off"],
  "Two-step sign-in was turned off for your account at {organization}. Your password alone signs you in now.":
    [
      "Two-step sign-in was turned off for your account at ",
      ["organization"],
      ". Your password alone signs you in now.",
    ],
  "Two-step sign-in at {organization} was reset": ["Two-step sign-in at ", ["organization"], " was reset"],
  "An administrator has turned two-step sign-in off for your account at {organization}. Set it up again in the settings after signing in.":
    [
      "An administrator has turned two-step sign-in off for your account at ",
      ["organization"],
      ". Set it up again in the settings after signing in.",
    ],
  "New recovery codes at {organization}": ["New recovery codes at ", ["organization"]],
  "New recovery codes were made for your account at {organization}. The ones you had no longer work.": [
    "New recovery codes were made for your account at ",
    ["organization"],
    ". The ones you had no longer work.",
  ],
  "A recovery code was used at {organization}": ["A recovery code was used at ", ["organization"]],
  "A recovery code was used for your account at {organization}. {left, plural, one {One recovery code is left} other {# recovery codes are left}}; make new ones in the settings before they run out.":
    [
      "A recovery code was used for your account at ",
      ["organization"],
      ". ",
      ["left", "plural", { one: ["One recovery code is left"], other: ["#", " recovery codes are left"] }],
      "; make new ones in the settings before they run out.",
    ],
  "Test mail from {organization}": ["Test mail from ", ["organization"]],
  "Confirm your new address at {organization}": ["Confirm your new address at ", ["organization"]],
  "Somebody, probably you, wants the account of {full_name} at {organization} to have this address.": [
    "Somebody, probably you, wants the account of ",
    ["full_name"],
    " at ",
    ["organization"],
    " to have this address.",
  ],
  "Your code for {organization}": ["Your code for ", ["organization"]],
  "Somebody, probably you, is about to change how your account {email} is opened.": [
    "Somebody, probably you, is about to change how your account ",
    ["email"],
    " is opened.",
  ],
  "A new password for {organization}": ["A new password for ", ["organization"]],
  "Somebody, probably you, asked for a new password for your account {email} at {organization}.": [
    "Somebody, probably you, asked for a new password for your account ",
    ["email"],
    " at ",
    ["organization"],
    ".",
  ],
  "your account at {organization} has been deactivated by {person}.": [
    "your account at ",
    ["organization"],
    " has been deactivated by ",
    ["person"],
    ".",
  ],
  "Your account at {organization} has been deactivated": [
    "Your account at ",
    ["organization"],
    " has been deactivated",
  ],
  "{inviter} invites you to join {organization}. Choose a name and a password, and you are in.": [
    ["inviter"],
    " invites you to join ",
    ["organization"],
    ". Choose a name and a password, and you are in.",
  ],
  "It is valid until {time} (UTC).": ["It is valid until ", ["time"], " (UTC)."],
  "Invitation to {organization}": ["Invitation to ", ["organization"]],
  "Welcome to {organization}": ["Welcome to ", ["organization"]],
  "You have joined {organization}. Here is how to come back.": [
    "You have joined ",
    ["organization"],
    ". Here is how to come back.",
  ],
  "{organization} has moved from another server to {site}, and your account and messages have moved along.": [
    ["organization"],
    " has moved from another server to ",
    ["site"],
    ", and your account and messages have moved along.",
  ],
  "{organization} has moved from {source} to {site}, and your account and messages have moved along.": [
    ["organization"],
    " has moved from ",
    ["source"],
    " to ",
    ["site"],
    ", and your account and messages have moved along.",
  ],
  "The link works once, until {date}. After that, ask for a new one at {url}": [
    "The link works once, until ",
    ["date"],
    ". After that, ask for a new one at ",
    ["url"],
  ],
  "Your account at {organization}": ["Your account at ", ["organization"]],
  "{organization} has moved here": [["organization"], " has moved here"],
  "You get this mail once, because you had an account at {source}.": [
    "You get this mail once, because you had an account at ",
    ["source"],
    ".",
  ],
  "{site} (reachable only from the server's own machine)": [
    ["site"],
    " (reachable only from the server's own machine)",
  ],
  "Open {server}": ["Open ", ["server"]],
  "Sign in as {email} with your password.": ["Sign in as ", ["email"], " with your password."],
  "Sign in as {email}.": ["Sign in as ", ["email"], "."],
  "Enter {server} as the organization, then log in as {email} with your password.": [
    "Enter ",
    ["server"],
    " as the organization, then log in as ",
    ["email"],
    " with your password.",
  ],
  "Enter {server} as the organization, then log in as {email}.": [
    "Enter ",
    ["server"],
    " as the organization, then log in as ",
    ["email"],
    ".",
  ],
  "Terminal, with {program}": ["Terminal, with ", ["program"]],
  "{device}. It asks for the same server, address and password.": [
    ["device"],
    ". It asks for the same server, address and password.",
  ],
  "You have {count, plural, one {# unread message} other {# unread messages}}": [
    "You have ",
    ["count", "plural", { one: ["#", " unread message"], other: ["#", " unread messages"] }],
  ],
  "And {count, plural, one {# more message} other {# more messages}}.": [
    "And ",
    ["count", "plural", { one: ["#", " more message"], other: ["#", " more messages"] }],
    ".",
  ],
  "You get this mail because {reason}. To reply, open the conversation: nobody reads replies to this mail.": [
    "You get this mail because ",
    ["reason"],
    ". To reply, open the conversation: nobody reads replies to this mail.",
  ],
  "{name} sent you a direct message": [["name"], " sent you a direct message"],
  "{name} mentioned you": [["name"], " mentioned you"],
  "{name} used one of your alert words": [["name"], " used one of your alert words"],
  "{name} wrote in a topic that you follow": [["name"], " wrote in a topic that you follow"],
  "{name} wrote in a channel whose messages you get by mail": [
    ["name"],
    " wrote in a channel whose messages you get by mail",
  ],
  "{first}, and {second}": [["first"], ", and ", ["second"]],
  "{first}, {second}, and {third}": [["first"], ", ", ["second"], ", and ", ["third"]],
  "Direct messages with {names}": ["Direct messages with ", ["names"]],
  "New|address": ["New"],
  "{channel} > {topic}": [["channel"], " > ", ["topic"]],
  "{organization}, <link>{site}</link>": [["organization"], ", <link>", ["site"], "</link>"],
  "{organization} can send mail: this one was sent to try that.": [
    ["organization"],
    " can send mail: this one was sent to try that.",
  ],
  "Backups of {organization} fail": ["Backups of ", ["organization"], " fail"],
  "The last two backups that the server of {organization} began could not be made.": [
    "The last two backups that the server of ",
    ["organization"],
    " began could not be made.",
  ],
  "Files of {organization} take up {percent} of their space": [
    "Files of ",
    ["organization"],
    " take up ",
    ["percent"],
    " of their space",
  ],
  "Space|key": ["Space"],
  "Home|key": ["Home"],
  "End|key": ["End"],
  "The request is too large: at most {max} bytes are allowed.": [
    "The request is too large: at most ",
    ["max"],
    " bytes are allowed.",
  ],
  "Missing ''{name}'' argument": ["Missing '", ["name"], "' argument"],
  "{name} is missing": [["name"], " is missing"],
  'Argument "{name}" is not valid JSON.': ['Argument "', ["name"], '" is not valid JSON.'],
  "{name} has more than 150000 values.": [["name"], " has more than 150000 values."],
  "{name} has more than 50000 values.": [["name"], " has more than 50000 values."],
  "{name} has more than 20000 named values.": [["name"], " has more than 20000 named values."],
  "{name} is nested more than 64 times.": [["name"], " is nested more than 64 times."],
  "{name} is not a number without leading zeros": [["name"], " is not a number without leading zeros"],
  "{name} has the wrong type": [["name"], " has the wrong type"],
  "{name} is not valid": [["name"], " is not valid"],
  "{name} is not a string": [["name"], " is not a string"],
  "{name} is not a number": [["name"], " is not a number"],
  "{name} is not an integer": [["name"], " is not an integer"],
  "{name} is not a boolean": [["name"], " is not a boolean"],
  "{name} is not a list": [["name"], " is not a list"],
  "{name} is not an object": [["name"], " is not an object"],
  "{name} has too few items: the minimum is {limit}": [
    ["name"],
    " has too few items: the minimum is ",
    ["limit"],
  ],
  "{name} is too small: the minimum is {limit}": [["name"], " is too small: the minimum is ", ["limit"]],
  "{name} has too many items: the maximum is {limit}": [
    ["name"],
    " has too many items: the maximum is ",
    ["limit"],
  ],
  "{name} is too large: the maximum is {limit}": [["name"], " is too large: the maximum is ", ["limit"]],
  "{name} must be one of: {values}": [["name"], " must be one of: ", ["values"]],
  "{name} has an unknown key: {keys}": [["name"], " has an unknown key: ", ["keys"]],
  "Event {id} was not in this queue": ["Event ", ["id"], " was not in this queue"],
  "An event newer than {id} has already been pruned!": [
    "An event newer than ",
    ["id"],
    " has already been pruned!",
  ],
  "Bad event queue ID: {id}": ["Bad event queue ID: ", ["id"]],
  "Unsupported parameter combination: {parameters}": ["Unsupported parameter combination: ", ["parameters"]],
  "Invalid channel name ''{channel}''": ["Invalid channel name '", ["channel"], "'"],
  "Channel ''{channel}'' does not exist": ["Channel '", ["channel"], "' does not exist"],
  "Channel with ID ''{id}'' does not exist": ["Channel with ID '", ["id"], "' does not exist"],
  "Channel ''{channel}'' already exists": ["Channel '", ["channel"], "' already exists"],
  "Channel ''{channel}'' is archived already.": ["Channel '", ["channel"], "' is archived already."],
  "Channel ''{channel}'' is archived.": ["Channel '", ["channel"], "' is archived."],
  "You do not have permission to read channel ''{channel}''.": [
    "You do not have permission to read channel '",
    ["channel"],
    "'.",
  ],
  "You do not have permission to post in channel ''{channel}''.": [
    "You do not have permission to post in channel '",
    ["channel"],
    "'.",
  ],
  "You do not have permission to administer channel ''{channel}''.": [
    "You do not have permission to administer channel '",
    ["channel"],
    "'.",
  ],
  "You do not have permission to subscribe to channel ''{channel}''.": [
    "You do not have permission to subscribe to channel '",
    ["channel"],
    "'.",
  ],
  "You do not have permission to subscribe other people to channel ''{channel}''.": [
    "You do not have permission to subscribe other people to channel '",
    ["channel"],
    "'.",
  ],
  "You do not have permission to remove other people from channel ''{channel}''.": [
    "You do not have permission to remove other people from channel '",
    ["channel"],
    "'.",
  ],
  "You must be able to read channel ''{channel}'' yourself to change who else can read it.": [
    "You must be able to read channel '",
    ["channel"],
    "' yourself to change who else can read it.",
  ],
  "There is no default channel group with the ID {id}.": [
    "There is no default channel group with the ID ",
    ["id"],
    ".",
  ],
  "Default channel group ''{group}'' already exists.": [
    "Default channel group '",
    ["group"],
    "' already exists.",
  ],
  "''{channel}'' is private and cannot be in a default channel group.": [
    "'",
    ["channel"],
    "' is private and cannot be in a default channel group.",
  ],
  "''{channel}'' is archived and cannot be in a default channel group.": [
    "'",
    ["channel"],
    "' is archived and cannot be in a default channel group.",
  ],
  "''{channel}'' is a default channel and cannot be in a default channel group.": [
    "'",
    ["channel"],
    "' is a default channel and cannot be in a default channel group.",
  ],
  "Channel ''{channel}'' is already in default channel group ''{group}''.": [
    "Channel '",
    ["channel"],
    "' is already in default channel group '",
    ["group"],
    "'.",
  ],
  "Channel ''{channel}'' is not in default channel group ''{group}''.": [
    "Channel '",
    ["channel"],
    "' is not in default channel group '",
    ["group"],
    "'.",
  ],
  "Channel folder ''{folder}'' is archived.": ["Channel folder '", ["folder"], "' is archived."],
  "You are not subscribed to channel ''{channel}''.": [
    "You are not subscribed to channel '",
    ["channel"],
    "'.",
  ],
  "Unknown subscription property: {property}": ["Unknown subscription property: ", ["property"]],
  "Property ''{property}'': The value must be true or false.": [
    "Property '",
    ["property"],
    "': The value must be true or false.",
  ],
  "Property ''{property}'': A color must be '#' and six hexadecimal digits, such as #76ce90.": [
    "Property '",
    ["property"],
    "': A color must be '#' and six hexadecimal digits, such as #76ce90.",
  ],
  "There is no active user with the address {email}.": [
    "There is no active user with the address ",
    ["email"],
    ".",
  ],
  "Emoji ''{name}'' does not exist": ["Emoji '", ["name"], "' does not exist"],
  "Emoji ''{name}'' comes with the server: only custom emoji can be deactivated.": [
    "Emoji '",
    ["name"],
    "' comes with the server: only custom emoji can be deactivated.",
  ],
  "The file is larger than the allowed {max} MiB.": [
    "The file is larger than the allowed ",
    ["max"],
    " MiB.",
  ],
  "Invalid user group ID: {id}": ["Invalid user group ID: ", ["id"]],
  "User group ''{group}'' is deactivated.": ["User group '", ["group"], "' is deactivated."],
  "User group ''{group}'' is this group, or already contains it.": [
    "User group '",
    ["group"],
    "' is this group, or already contains it.",
  ],
  "User {id} is already a member of this group.": ["User ", ["id"], " is already a member of this group."],
  "User {id} is not a member of this group.": ["User ", ["id"], " is not a member of this group."],
  "User group {id} is already a subgroup of this group.": [
    "User group ",
    ["id"],
    " is already a subgroup of this group.",
  ],
  "User group {id} is not a subgroup of this group.": [
    "User group ",
    ["id"],
    " is not a subgroup of this group.",
  ],
  "User group ''{group}'' already exists.": ["User group '", ["group"], "' already exists."],
  "The URL template inserts ''{name}'', but the pattern has no group of that name.": [
    "The URL template inserts '",
    ["name"],
    "', but the pattern has no group of that name.",
  ],
  "The pattern has a group ''{name}'' that the URL template does not insert.": [
    "The pattern has a group '",
    ["name"],
    "' that the URL template does not insert.",
  ],
  "Bad regular expression: {reason}": ["Bad regular expression: ", ["reason"]],
  "A URL template cannot insert ''{expression}''.": ["A URL template cannot insert '", ["expression"], "'."],
  "There is no such command. The commands are {commands}.": [
    "There is no such command. The commands are ",
    ["commands"],
    ".",
  ],
  "''{setting}'' must be a system user group.": ["'", ["setting"], "' must be a system user group."],
  "Invalid user ID: {id}": ["Invalid user ID: ", ["id"]],
  "Invalid user ID {id}": ["Invalid user ID ", ["id"]],
  "Invalid email ''{email}''": ["Invalid email '", ["email"], "'"],
  "''{setting}'' setting cannot be set to ''{group}'' group.": [
    "'",
    ["setting"],
    "' setting cannot be set to '",
    ["group"],
    "' group.",
  ],
  "''{setting}'' has been changed in the meantime. Please check its new value.": [
    "'",
    ["setting"],
    "' has been changed in the meantime. Please check its new value.",
  ],
  "There is no profile field with the ID {id}.": ["There is no profile field with the ID ", ["id"], "."],
  "Only administrators may change the field ''{field}''.": [
    "Only administrators may change the field '",
    ["field"],
    "'.",
  ],
  "The value of ''{field}'' is too long (limit: 50 characters).": [
    "The value of '",
    ["field"],
    "' is too long (limit: 50 characters).",
  ],
  "The value of ''{field}'' is too long (limit: 500 characters).": [
    "The value of '",
    ["field"],
    "' is too long (limit: 500 characters).",
  ],
  "The value of ''{field}'' is not one of the options.": [
    "The value of '",
    ["field"],
    "' is not one of the options.",
  ],
  "The value of ''{field}'' is not a date, such as 2020-02-29.": [
    "The value of '",
    ["field"],
    "' is not a date, such as 2020-02-29.",
  ],
  "The value of ''{field}'' is not a web address.": ["The value of '", ["field"], "' is not a web address."],
  "The value of ''{field}'' is not a list of the IDs of people.": [
    "The value of '",
    ["field"],
    "' is not a list of the IDs of people.",
  ],
  "This server does not offer login by ''{method}''.": [
    "This server does not offer login by '",
    ["method"],
    "'.",
  ],
  "There is no syntax highlighting for a language called ''{language}''.": [
    "There is no syntax highlighting for a language called '",
    ["language"],
    "'.",
  ],
  "The domain {domain} is already a part of this organization.": [
    "The domain ",
    ["domain"],
    " is already a part of this organization.",
  ],
  "No entry found for domain {domain}.": ["No entry found for domain ", ["domain"], "."],
  "{provider} is not configured.": [["provider"], " is not configured."],
  "{name} does not use two-step sign-in.": [["name"], " does not use two-step sign-in."],
  "No owner could sign in then, since none has a password: {names}. One of them has to choose one first.": [
    "No owner could sign in then, since none has a password: ",
    ["names"],
    ". One of them has to choose one first.",
  ],
  "No owner could sign in then, since none has signed in at a provider: {names}. One of them has to do that first.":
    [
      "No owner could sign in then, since none has signed in at a provider: ",
      ["names"],
      ". One of them has to do that first.",
    ],
  "The template of short forms inserts ''{name}'', but the pattern has no group of that name.": [
    "The template of short forms inserts '",
    ["name"],
    "', but the pattern has no group of that name.",
  ],
  "The template of short forms makes ''{text}'' of the example; it must make the example itself.": [
    "The template of short forms makes '",
    ["text"],
    "' of the example; it must make the example itself.",
  ],
  "You do not have permission to delete messages in channel ''{channel}''.": [
    "You do not have permission to delete messages in channel '",
    ["channel"],
    "'.",
  ],
  "Invalid flag: ''{flag}''": ["Invalid flag: '", ["flag"], "'"],
  "Flag not editable: ''{flag}''": ["Flag not editable: '", ["flag"], "'"],
  "No such topic ''{topic}''": ["No such topic '", ["topic"], "'"],
  "You only have permission to move the {movable}/{all} most recent messages in this topic.": [
    "You only have permission to move the ",
    ["movable"],
    "/",
    ["all"],
    " most recent messages in this topic.",
  ],
  "Invalid narrow operator: unknown ''{operator}'' operand {operand}": [
    "Invalid narrow operator: unknown '",
    ["operator"],
    "' operand ",
    ["operand"],
  ],
  "Invalid narrow operator: unknown operator {operator}": [
    "Invalid narrow operator: unknown operator ",
    ["operator"],
  ],
  "Event queues do not support narrowing by ''{operator}'' with this operand.": [
    "Event queues do not support narrowing by '",
    ["operator"],
    "' with this operand.",
  ],
  "''{email}'' is no longer using this organization.": [
    "'",
    ["email"],
    "' is no longer using this organization.",
  ],
  "{name} has handled this report already.": [["name"], " has handled this report already."],
  "{name} has dismissed this report already.": [["name"], " has dismissed this report already."],
  "{name} has handled this report already, and deactivated the sender.": [
    ["name"],
    " has handled this report already, and deactivated the sender.",
  ],
  "{name} has handled this report already, and deleted the message.": [
    ["name"],
    " has handled this report already, and deleted the message.",
  ],
  "{name} has handled this report already, and warned the sender.": [
    ["name"],
    " has handled this report already, and warned the sender.",
  ],
  "No presence data for {email}": ["No presence data for ", ["email"]],
  "At most {max} addresses can be invited in a day, so nothing was sent.": [
    "At most ",
    ["max"],
    " addresses can be invited in a day, so nothing was sent.",
  ],
  "''{email}'' already has an account.": ["'", ["email"], "' already has an account."],
  "{person} created a new channel {channel}.": [["person"], " created a new channel ", ["channel"], "."],
  "{person} created these new channels:": [["person"], " created these new channels:"],
  "{person} subscribed you to the channel {channel}.": [
    ["person"],
    " subscribed you to the channel ",
    ["channel"],
    ".",
  ],
  "{person} subscribed you to these channels:": [["person"], " subscribed you to these channels:"],
  "{person} renamed this channel from **{from}** to **{to}**.": [
    ["person"],
    " renamed this channel from **",
    ["from"],
    "** to **",
    ["to"],
    "**.",
  ],
  "{person} changed the description of this channel.": [
    ["person"],
    " changed the description of this channel.",
  ],
  "{person} changed how long messages in this channel are kept, from **{from}** to **{to}**.": [
    ["person"],
    " changed how long messages in this channel are kept, from **",
    ["from"],
    "** to **",
    ["to"],
    "**.",
  ],
  "{days, plural, one {# day} other {# days}}": [
    ["days", "plural", { one: ["#", " day"], other: ["#", " days"] }],
  ],
  "{person} moved this channel into the folder **{to}**.": [
    ["person"],
    " moved this channel into the folder **",
    ["to"],
    "**.",
  ],
  "{person} moved this channel out of the folder **{from}**.": [
    ["person"],
    " moved this channel out of the folder **",
    ["from"],
    "**.",
  ],
  "{person} moved this channel out of the folder **{from}** and into the folder **{to}**.": [
    ["person"],
    " moved this channel out of the folder **",
    ["from"],
    "** and into the folder **",
    ["to"],
    "**.",
  ],
  "{person} archived this channel.": [["person"], " archived this channel."],
  "{person} took this channel out of the archive.": [["person"], " took this channel out of the archive."],
  "{person} changed this channel from **{before}** to **{after}**.": [
    ["person"],
    " changed this channel from **",
    ["before"],
    "** to **",
    ["after"],
    "**.",
  ],
  "{person} changed who may post in this channel.": [["person"], " changed who may post in this channel."],
  "Before: {who}": ["Before: ", ["who"]],
  "Now: {who}": ["Now: ", ["who"]],
  "This topic was moved to {place} by {person}.": [
    "This topic was moved to ",
    ["place"],
    " by ",
    ["person"],
    ".",
  ],
  "A message was moved from this topic to {place} by {person}.": [
    "A message was moved from this topic to ",
    ["place"],
    " by ",
    ["person"],
    ".",
  ],
  "{count, plural, one {# message was} other {# messages were}} moved from this topic to {place} by {person}.":
    [
      ["count", "plural", { one: ["#", " message was"], other: ["#", " messages were"] }],
      " moved from this topic to ",
      ["place"],
      " by ",
      ["person"],
      ".",
    ],
  "This topic was moved here from {place} by {person}.": [
    "This topic was moved here from ",
    ["place"],
    " by ",
    ["person"],
    ".",
  ],
  "{message} was moved here from {place} by {person}.": [
    ["message"],
    " was moved here from ",
    ["place"],
    " by ",
    ["person"],
    ".",
  ],
  "{count, plural, one {# message was} other {# messages were}} moved here from {place} by {person}.": [
    ["count", "plural", { one: ["#", " message was"], other: ["#", " messages were"] }],
    " moved here from ",
    ["place"],
    " by ",
    ["person"],
    ".",
  ],
  "{person} has marked this topic as resolved.": [["person"], " has marked this topic as resolved."],
  "{person} has marked this topic as unresolved.": [["person"], " has marked this topic as unresolved."],
  "{name} <link>wrote</link>:": [["name"], " <link>wrote</link>:"],
  "Reports about {name}": ["Reports about ", ["name"]],
  "{person} reported a message by {sender}.": [["person"], " reported a message by ", ["sender"], "."],
  "{person} reported a direct message by {sender}.": [
    ["person"],
    " reported a direct message by ",
    ["sender"],
    ".",
  ],
  "**Reason**: {reason}": ["**Reason**: ", ["reason"]],
  "The message you scheduled for {time} was not sent:": [
    "The message you scheduled for ",
    ["time"],
    " was not sent:",
  ],
  "You can find it in your <link>scheduled messages</link>.": [
    "You can find it in your <link>scheduled messages</link>.",
  ],
  "A mail to {address} could not be delivered: {subject}": [
    "A mail to ",
    ["address"],
    " could not be delivered: ",
    ["subject"],
  ],
  "A mail to {address} waits, because the mail server did not take it: {subject}": [
    "A mail to ",
    ["address"],
    " waits, because the mail server did not take it: ",
    ["subject"],
  ],
  "{person} added you to the user group {group}.": [
    ["person"],
    " added you to the user group ",
    ["group"],
    ".",
  ],
  "{person} removed you from the user group {group}.": [
    ["person"],
    " removed you from the user group ",
    ["group"],
    ".",
  ],
  "You are now the owner of the bot {bot}.": ["You are now the owner of the bot ", ["bot"], "."],
  "{person} made you the owner of the bot {bot}.": [
    ["person"],
    " made you the owner of the bot ",
    ["bot"],
    ".",
  ],
  "It keeps running with its API key, which {person} still knows. To revoke the key, create a new one.": [
    "It keeps running with its API key, which ",
    ["person"],
    " still knows. To revoke the key, create a new one.",
  ],
  "{person} is now the owner of your bot {bot}. It keeps running with its API key, which you still know. The new owner knows that you do.":
    [
      ["person"],
      " is now the owner of your bot ",
      ["bot"],
      ". It keeps running with its API key, which you still know. The new owner knows that you do.",
    ],
  "{person} made the bot {bot} for you, and knows its API key. To revoke the key, create a new one.": [
    ["person"],
    " made the bot ",
    ["bot"],
    " for you, and knows its API key. To revoke the key, create a new one.",
  ],
  "{person} created a new API key for your bot {bot}, and knows it. The old one no longer works. To revoke the key, create a new one.":
    [
      ["person"],
      " created a new API key for your bot ",
      ["bot"],
      ", and knows it. The old one no longer works. To revoke the key, create a new one.",
    ],
  "{bot} could not answer <link>a message</link>: the call to its service failed.": [
    ["bot"],
    " could not answer <link>a message</link>: the call to its service failed.",
  ],
  "{person} accepted your invitation and has joined.": [
    ["person"],
    " accepted your invitation and has joined.",
  ],
  "{person} has joined. Say hello!": [["person"], " has joined. Say hello!"],
  "{person} and {others, plural, one {# other} other {# others}}": [
    ["person"],
    " and ",
    ["others", "plural", { one: ["#", " other"], other: ["#", " others"] }],
  ],
  "{some}, {more}": [["some"], ", ", ["more"]],
  "The moderators have looked at your report about a message by {name}, and see no reason to do anything.": [
    "The moderators have looked at your report about a message by ",
    ["name"],
    ", and see no reason to do anything.",
  ],
  "The moderators have looked at your report about a message by {name}, and have done something about it. Thank you.":
    [
      "The moderators have looked at your report about a message by ",
      ["name"],
      ", and have done something about it. Thank you.",
    ],
  "The moderators of {organization} write to you about a message of yours:": [
    "The moderators of ",
    ["organization"],
    " write to you about a message of yours:",
  ],
  "Say hello in {place}.": ["Say hello in ", ["place"], "."],
  "Clients ask for a password, and your account has none yet. Where you are signed in in a browser, choose one in the settings under *Account*. On the server's machine, {command} sets one.":
    [
      "Clients ask for a password, and your account has none yet. Where you are signed in in a browser, choose one in the settings under *Account*. On the server's machine, ",
      ["command"],
      " sets one.",
    ],
  "Hello, and welcome to {organization}! I am a bot, so nobody reads your replies here. These are the first steps.":
    [
      "Hello, and welcome to ",
      ["organization"],
      "! I am a bot, so nobody reads your replies here. These are the first steps.",
    ],
  "Each message in a channel has a topic, as an email has a subject. This one is in the topic {topic}.": [
    "Each message in a channel has a topic, as an email has a subject. This one is in the topic ",
    ["topic"],
    ".",
  ],
  "Set up {organization}": ["Set up ", ["organization"]],
  "{action}: {step}": [["action"], ": ", ["step"]],
  "For a team, a project or a subject. Or bring the history of another chat: <command>confab import</command> on the server.":
    [
      "For a team, a project or a subject. Or bring the history of another chat: <command>confab import</command> on the server.",
    ],
  "In {channel}: who are you, and what do you work on?": [
    "In ",
    ["channel"],
    ": who are you, and what do you work on?",
  ],
  "Saved: {what}.": ["Saved: ", ["what"], "."],
  "Mark all {count, number}": ["Mark all ", ["count", "number"]],
  "Mark {name}": ["Mark ", ["name"]],
  "{count, plural, one {# row marked} other {# rows marked}}": [
    ["count", "plural", { one: ["#", " row marked"], other: ["#", " rows marked"] }],
  ],
  "{done, number} of {total, number} done": [["done", "number"], " of ", ["total", "number"], " done"],
  "{count, plural, one {# is left as it was.} other {# are left as they were.}}": [
    ["count", "plural", { one: ["#", " is left as it was."], other: ["#", " are left as they were."] }],
  ],
  "{count, plural, one {# failed:} other {# failed:}}": [
    ["count", "plural", { one: ["#", " failed:"], other: ["#", " failed:"] }],
  ],
  "Bring {name} back?": ["Bring ", ["name"], " back?"],
  "{name} is deactivated.": [["name"], " is deactivated."],
  "{name} is back.": [["name"], " is back."],
  "End: {what}": ["End: ", ["what"]],
  "{count, plural, one {Sign {name} out of # browser?} other {Sign {name} out of # browsers?}}": [
    [
      "count",
      "plural",
      {
        one: ["Sign ", ["name"], " out of ", "#", " browser?"],
        other: ["Sign ", ["name"], " out of ", "#", " browsers?"],
      },
    ],
  ],
  "{count, plural, one {End # key of {name}?} other {End # keys of {name}?}}": [
    [
      "count",
      "plural",
      { one: ["End ", "#", " key of ", ["name"], "?"], other: ["End ", "#", " keys of ", ["name"], "?"] },
    ],
  ],
  "Remove from {name}": ["Remove from ", ["name"]],
  "{count, plural, one {Change the role of # person?} other {Change the role of # people?}}": [
    [
      "count",
      "plural",
      { one: ["Change the role of ", "#", " person?"], other: ["Change the role of ", "#", " people?"] },
    ],
  ],
  "{count, plural, one {Add # person to a group?} other {Add # people to a group?}}": [
    [
      "count",
      "plural",
      { one: ["Add ", "#", " person to a group?"], other: ["Add ", "#", " people to a group?"] },
    ],
  ],
  "{count, plural, one {Add # person to a channel?} other {Add # people to a channel?}}": [
    [
      "count",
      "plural",
      { one: ["Add ", "#", " person to a channel?"], other: ["Add ", "#", " people to a channel?"] },
    ],
  ],
  "{count, plural, one {Deactivate # person?} other {Deactivate # people?}}": [
    ["count", "plural", { one: ["Deactivate ", "#", " person?"], other: ["Deactivate ", "#", " people?"] }],
  ],
  "{count, plural, one {Bring # person back?} other {Bring # people back?}}": [
    ["count", "plural", { one: ["Bring ", "#", " person back?"], other: ["Bring ", "#", " people back?"] }],
  ],
  "{count, plural, one {Revoke # invitation?} other {Revoke # invitations?}}": [
    ["count", "plural", { one: ["Revoke ", "#", " invitation?"], other: ["Revoke ", "#", " invitations?"] }],
  ],
  "Remove {name}?": ["Remove ", ["name"], "?"],
  "Delete everything that {name} sent?": ["Delete everything that ", ["name"], " sent?"],
  "Everything that {name} sent is deleted.": ["Everything that ", ["name"], " sent is deleted."],
  "Erase {name} for ever?": ["Erase ", ["name"], " for ever?"],
  "Stay, as those of “{name}”": ["Stay, as those of “", ["name"], "”"],
  "Their bots are deactivated: {names}.": ["Their bots are deactivated: ", ["names"], "."],
  "Also what their bots sent: {names}.": ["Also what their bots sent: ", ["names"], "."],
  "{name}: {count, number}": [["name"], ": ", ["count", "number"]],
  "Files: {count, number} ({size})": ["Files: ", ["count", "number"], " (", ["size"], ")"],
  "Backups that were made before, until they are deleted. Known ones are from {from} to {to}.": [
    "Backups that were made before, until they are deleted. Known ones are from ",
    ["from"],
    " to ",
    ["to"],
    ".",
  ],
  "To confirm, type {name}": ["To confirm, type ", ["name"]],
  "Messages deleted: {count, number}": ["Messages deleted: ", ["count", "number"]],
  "How long messages are kept: {time}": ["How long messages are kept: ", ["time"]],
  "Until {time}, nothing is deleted: messages came by an import or from a backup.": [
    "Until ",
    ["time"],
    ", nothing is deleted: messages came by an import or from a backup.",
  ],
  "{place}: kept until {time} as before: {kept}.": [
    ["place"],
    ": kept until ",
    ["time"],
    " as before: ",
    ["kept"],
    ".",
  ],
  "Delete now: {place}": ["Delete now: ", ["place"]],
  "{place}: what is older than the time that is set is deleted for everyone within an hour, and cannot be brought back.":
    [
      ["place"],
      ": what is older than the time that is set is deleted for everyone within an hour, and cannot be brought back.",
    ],
  "As the organization ({time})": ["As the organization (", ["time"], ")"],
  "Write a number of days, from 1 to {most, number}.": [
    "Write a number of days, from 1 to ",
    ["most", "number"],
    ".",
  ],
  "No message is older than {time}.": ["No message is older than ", ["time"], "."],
  "{count, plural, one {# message is older than {time}, and is deleted for everyone.} other {# messages are older than {time}, and are deleted for everyone.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " message is older than ", ["time"], ", and is deleted for everyone."],
          other: ["#", " messages are older than ", ["time"], ", and are deleted for everyone."],
        },
      ],
    ],
  "The oldest is from {day}.": ["The oldest is from ", ["day"], "."],
  "{count, plural, one {# file is linked from no other message: only who uploaded it can open it afterwards.} other {# files are linked from no other message: only who uploaded them can open them afterwards.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " file is linked from no other message: only who uploaded it can open it afterwards."],
          other: [
            "#",
            " files are linked from no other message: only who uploaded them can open them afterwards.",
          ],
        },
      ],
    ],
  "How long messages in {channel} are kept": ["How long messages in ", ["channel"], " are kept"],
  "{name} is number {place, number} of {count, number} now.": [
    ["name"],
    " is number ",
    ["place", "number"],
    " of ",
    ["count", "number"],
    " now.",
  ],
  "Edit {name}": ["Edit ", ["name"]],
  "Delete {name}": ["Delete ", ["name"]],
  "Where a text fits a pattern, it becomes a link: {example} to an issue, say. Where several fit, the first one in the list makes the link.":
    [
      "Where a text fits a pattern, it becomes a link: ",
      ["example"],
      " to an issue, say. Where several fit, the first one in the list makes the link.",
    ],
  "A regular expression as in Python, with named groups: {example}": [
    "A regular expression as in Python, with named groups: ",
    ["example"],
  ],
  "With the groups in braces: {example}": ["With the groups in braces: ", ["example"]],
  "Blocks of code in {language} no longer lead there.": [
    "Blocks of code in ",
    ["language"],
    " no longer lead there.",
  ],
  "As behind the backticks that open a block, such as {example}.": [
    "As behind the backticks that open a block, such as ",
    ["example"],
    ".",
  ],
  "With the code in braces: {example}": ["With the code in braces: ", ["example"]],
  "Addresses of all domains may join. To limit that to these, turn on “{setting}”.": [
    "Addresses of all domains may join. To limit that to these, turn on “",
    ["setting"],
    "”.",
  ],
  "Delete {name}?": ["Delete ", ["name"], "?"],
  "{count, plural, one {# person has filled it in: that is deleted for good.} other {# people have filled it in: all of that is deleted for good.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " person has filled it in: that is deleted for good."],
          other: ["#", " people have filled it in: all of that is deleted for good."],
        },
      ],
    ],
  "Type|of a profile field": ["Type"],
  "Hint|of a profile field": ["Hint"],
  "{count, plural, one {Remove # choice?} other {Remove # choices?}}": [
    ["count", "plural", { one: ["Remove ", "#", " choice?"], other: ["Remove ", "#", " choices?"] }],
  ],
  "With {mark} for the name of the account: {example}": [
    "With ",
    ["mark"],
    " for the name of the account: ",
    ["example"],
  ],
  "Choice {number, number}": ["Choice ", ["number", "number"]],
  "At {providers}, as the server’s configuration says.": [
    "At ",
    ["providers"],
    ", as the server’s configuration says.",
  ],
  "Turn off {way}?": ["Turn off ", ["way"], "?"],
  "{count, plural, one {# person has never signed in at a provider, and can only go on if it knows their address.} other {# people have never signed in at a provider, and can only go on if it knows their addresses.}}":
    [
      [
        "count",
        "plural",
        {
          one: [
            "#",
            " person has never signed in at a provider, and can only go on if it knows their address.",
          ],
          other: [
            "#",
            " people have never signed in at a provider, and can only go on if it knows their addresses.",
          ],
        },
      ],
    ],
  "{count, plural, one {# person has no password, and needs one to sign in again.} other {# people have no password, and need one to sign in again.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " person has no password, and needs one to sign in again."],
          other: ["#", " people have no password, and need one to sign in again."],
        },
      ],
    ],
  "{count, plural, one {# person has not set it up, and then does so at the next sign-in.} other {# people have not set it up, and then do so at the next sign-in.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " person has not set it up, and then does so at the next sign-in."],
          other: ["#", " people have not set it up, and then do so at the next sign-in."],
        },
      ],
    ],
  "Counted every hour, last {time}. Days begin at midnight UTC.": [
    "Counted every hour, last ",
    ["time"],
    ". Days begin at midnight UTC.",
  ],
  "A text that becomes a link: {example}": ["A text that becomes a link: ", ["example"]],
  "What a pasted address becomes, with the groups in braces: {example}": [
    "What a pasted address becomes, with the groups in braces: ",
    ["example"],
  ],
  "Received: {size}": ["Received: ", ["size"]],
  "They can agree in their settings, under privacy, at “{setting}”.": [
    "They can agree in their settings, under privacy, at “",
    ["setting"],
    "”.",
  ],
  "Title|of a snippet": ["Title"],
  "Text|of a snippet": ["Text"],
  "Change the snippet {name}": ["Change the snippet ", ["name"]],
  "Delete the snippet {name}": ["Delete the snippet ", ["name"]],
  "{count, plural, one {{shown}<rest> open report</rest>} other {{shown}<rest> open reports</rest>}}": [
    [
      "count",
      "plural",
      { one: [["shown"], "<rest> open report</rest>"], other: [["shown"], "<rest> open reports</rest>"] },
    ],
  ],
  "Warn {name}": ["Warn ", ["name"]],
  "Deactivate the account of {name}": ["Deactivate the account of ", ["name"]],
  "{count, plural, one {# other open report of this message is handled, too.} other {# other open reports of this message are handled, too.}}":
    [
      [
        "count",
        "plural",
        {
          one: ["#", " other open report of this message is handled, too."],
          other: ["#", " other open reports of this message are handled, too."],
        },
      ],
    ],
  "Dismiss|a report": ["Dismiss"],
  "Message of {name}": ["Message of ", ["name"]],
  "Message|that was reported": ["Message"],
  "Open|report": ["Open"],
  "Dismissed|report": ["Dismissed"],
  "Handled|report": ["Handled"],
  "Where|it was": ["Where"],
  "Note|report": ["Note"],
  "Warning|report": ["Warning"],
  "{count, plural, one {Dismiss # report} other {Dismiss # reports}}": [
    ["count", "plural", { one: ["Dismiss ", "#", " report"], other: ["Dismiss ", "#", " reports"] }],
  ],
  "Sent|a message": ["Sent"],
  "Came again|an event": ["Came again"],
  "Test|of a bot": ["Test"],
  "Type|of a bot": ["Type"],
  "At {tool}: {where}. The address goes into “{field}”.": [
    "At ",
    ["tool"],
    ": ",
    ["where"],
    ". The address goes into “",
    ["field"],
    "”.",
  ],
  "{count, plural, one {# kind of event is} other {# kinds of events are}} left out as unimportant, unless the address asks for them.":
    [
      ["count", "plural", { one: ["#", " kind of event is"], other: ["#", " kinds of events are"] }],
      " left out as unimportant, unless the address asks for them.",
    ],
  "Sent. <link>See the message</link>": ["Sent. <link>See the message</link>"],
  "Format|of calls": ["Format"],
  "Make a new key for {name}?": ["Make a new key for ", ["name"], "?"],
  "Who shall own {name}?": ["Who shall own ", ["name"], "?"],
  "{bot} belongs to {name} now.": [["bot"], " belongs to ", ["name"], " now."],
  "It answered in {milliseconds, number} ms, with no reply.": [
    "It answered in ",
    ["milliseconds", "number"],
    " ms, with no reply.",
  ],
  "It answered in {milliseconds, number} ms. The bot would write:": [
    "It answered in ",
    ["milliseconds", "number"],
    " ms. The bot would write:",
  ],
  "What is posted to the address of “any JSON” becomes this message. {example} stands for a field, and {other} for a text if the field is absent.":
    [
      "What is posted to the address of “any JSON” becomes this message. ",
      ["example"],
      " stands for a field, and ",
      ["other"],
      " for a text if the field is absent.",
    ],
  "Remove the template of {name}?": ["Remove the template of ", ["name"], "?"],
  "Topic: {topic}": ["Topic: ", ["topic"]],
  "Absent there: {fields}.": ["Absent there: ", ["fields"], "."],
  "Take events without signatures as {name}?": ["Take events without signatures as ", ["name"], "?"],
  "Change the secret of {name}?": ["Change the secret of ", ["name"], "?"],
  "Require signatures for {name}?": ["Require signatures for ", ["name"], "?"],
};
