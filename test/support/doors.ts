// The doors of folders: the files that each offers to other folders, besides those that every folder offers (`doorOfAll` in
// plan.ts), and what they are for. Add a file only if it is meant as an interface; what a single other folder needs belongs into
// that folder.

type Uses = Readonly<Record<string, string>>;

export const doors: Readonly<Record<string, Uses>> = {
  "src/operations/export": {
    sections: "read the rows of an exported organization",
  },
  "src/operations/nodes": {
    words: "say how a cluster is, and what to do",
  },
  "src/text/code": {
    highlight: "colour a block of code",
    languages: "the languages that have colours",
  },
  "src/text/emoji": {
    emoji: "look up names and codes",
    "emoji-data": "the list of all names for clients",
  },
  "src/text/html": {
    elements: "make HTML elements",
    "html-parts": "read HTML that the server made",
    "text-runs": "replace parts of a text between elements",
  },
  "src/text/language": {
    devices: "name a browser or an app",
    languages: "the languages that people can choose",
    amounts: "sizes as a language writes them",
    tables: "say something in a person's language",
    translator: "say texts from a table, also in a browser",
  },
  "src/text/links": {
    urls: "recognize URLs and decide which are safe",
    "link-work": "limit the work that linkifiers cause",
  },
  "src/text/markup": {
    slack: "translate Slack's markup",
  },
  "src/text/quoting": {
    "narrow-url": "URLs of channels, topics and messages",
    quoting: "quote text",
    references: "refer to users, topics and messages",
  },
  "src/text/rendering": {
    render: "Markdown to HTML",
    scope: "what a text may refer to",
    linkifiers: "links in the name of a topic",
  },
  "src/text/search": {
    highlight: "mark what a search found",
    search: "decide whether a text matches",
    tokens: "the tokens of a text for an index",
  },
  "src/foundation/auth": {
    "operator-token": "who acts for the operator in a node's data folder",
  },
  "src/foundation/keys": {
    uses: "note that a key is in use",
  },
  "src/foundation/file-stores": {
    disk: "the folders of files on the disk",
    faults: "word what is wrong with a store",
    names: "make and recognize the names of files",
    s3: "reach an S3 store",
  },
  "src/foundation/files": {
    incomplete: "write a file and give it its name once it is complete",
    files: "store, find and remove a file, wherever it is",
    moving: "move a file to another store",
    incoming: "receive a file with a request",
    "kept-pictures": "store and serve pictures in several sizes",
    pictures: "decode and resize pictures",
    raster: "write a PNG file",
    serving: "answer a request with a file",
    types: "recognize the type of a file",
  },
  "src/foundation/secrets": {
    attempts: "limit guesses",
    networks: "the network of an address",
    passwords: "confirm a user's own password",
    secrets: "make, hash and compare keys and passwords",
    strength: "refuse weak passwords",
  },
  "src/foundation/sessions": {
    cookies: "the cookies of a browser",
    "link-page": "say why a link for signing in does not work",
  },
  "src/foundation/linkifiers": {
    templates: "parse a URL template",
  },
  "src/foundation/pages": {
    frame: "the frame of HTML pages, and answers with them",
  },
  "src/foundation/permissions": {
    descriptions: "what permissions are called",
    closure: "members of groups, direct or not",
    grants: "which permission settings name a group or user",
    words: "who may do something, in words",
  },
  "src/foundation/realm": {
    descriptions: "what settings are called",
    domains: "which addresses may join",
    texts: "rules of names and descriptions",
    words: "values of settings in words",
  },
  "src/foundation/user-settings": {
    descriptions: "what personal settings are called",
  },
  "src/foundation/users": {
    addresses: "who sees which address",
    identity: "check names and addresses before somebody joins",
  },
  "src/places/topics": {
    resolving: "what resolving does to a name",
  },
  "src/messaging/message-pages": {
    page: "one page of a selection",
    selection: "which messages a narrow selects for a reader",
  },
  "src/messaging/messages": {
    audience: "who reads a message",
    quotes: "quote a message",
  },
  "src/messaging/narrows": {
    narrow: "read a narrow, and apply it",
    terms: "what a narrow looks at, and which indexes it can use",
  },
  "src/messaging/background-jobs": {
    running: "work on topics that others wait for, and that goes on after a crash",
    runner: "carry on work of several transactions, whatever dies",
  },
  "src/messaging/sending": {
    lookup: "render Markdown as a user may see the organization",
    mentions: "who is mentioned",
    recipients: "where a message goes",
  },
  "src/messaging/receipts": {
    "cached-messages": "messages kept in memory for all who have not read them",
    "cached-unread": "the same for all conversations, kept in memory",
    reach: "which messages reached which users",
    unread: "list what a user has not read",
  },
  "src/messaging/uploads": {
    fullness: "how full a quota is, also in a browser",
  },
  "src/outside/webhooks": {
    reach: "which addresses the server may call for its users",
  },
  "src/personal/scheduled-messages": {
    delivery: "deliver what is due, in order and with retries",
  },
};
