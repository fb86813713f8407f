// Emoji for devices that have none of their own, and for who prefers these. The browser fetches the font when a text
// first needs it.
import url from "twemoji-colr-font/twemoji.woff2";

document.fonts.add(new FontFace("Twemoji", `url(${url})`));
