// A font with emoji, for devices without any and for people who prefer it. The browser fetches it when a text first needs it.
import url from "twemoji-colr-font/twemoji.woff2";

document.fonts.add(new FontFace("Twemoji", `url(${url})`));
