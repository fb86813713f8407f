// Styles and fonts of formulas, loaded with the first one. The fonts are loaded by this code as separate files, because the
// bundler would put them into a style sheet that names them.
import ams from "katex/dist/fonts/KaTeX_AMS-Regular.woff2";
import caligraphicBold from "katex/dist/fonts/KaTeX_Caligraphic-Bold.woff2";
import caligraphic from "katex/dist/fonts/KaTeX_Caligraphic-Regular.woff2";
import frakturBold from "katex/dist/fonts/KaTeX_Fraktur-Bold.woff2";
import fraktur from "katex/dist/fonts/KaTeX_Fraktur-Regular.woff2";
import mainBold from "katex/dist/fonts/KaTeX_Main-Bold.woff2";
import mainBoldItalic from "katex/dist/fonts/KaTeX_Main-BoldItalic.woff2";
import mainItalic from "katex/dist/fonts/KaTeX_Main-Italic.woff2";
import main from "katex/dist/fonts/KaTeX_Main-Regular.woff2";
import mathBoldItalic from "katex/dist/fonts/KaTeX_Math-BoldItalic.woff2";
import mathItalic from "katex/dist/fonts/KaTeX_Math-Italic.woff2";
import sansBold from "katex/dist/fonts/KaTeX_SansSerif-Bold.woff2";
import sansItalic from "katex/dist/fonts/KaTeX_SansSerif-Italic.woff2";
import sans from "katex/dist/fonts/KaTeX_SansSerif-Regular.woff2";
import script from "katex/dist/fonts/KaTeX_Script-Regular.woff2";
import size1 from "katex/dist/fonts/KaTeX_Size1-Regular.woff2";
import size2 from "katex/dist/fonts/KaTeX_Size2-Regular.woff2";
import size3 from "katex/dist/fonts/KaTeX_Size3-Regular.woff2";
import size4 from "katex/dist/fonts/KaTeX_Size4-Regular.woff2";
import typewriter from "katex/dist/fonts/KaTeX_Typewriter-Regular.woff2";
import styles from "katex/dist/katex.min.css" with { type: "text" };

const bold = { weight: "700" };
const italic = { style: "italic" };
const faces: readonly (readonly [family: string, url: string, descriptors?: FontFaceDescriptors])[] = [
  ["AMS", ams],
  ["Caligraphic", caligraphic],
  ["Caligraphic", caligraphicBold, bold],
  ["Fraktur", fraktur],
  ["Fraktur", frakturBold, bold],
  ["Main", main],
  ["Main", mainBold, bold],
  ["Main", mainItalic, italic],
  ["Main", mainBoldItalic, { ...bold, ...italic }],
  ["Math", mathItalic, italic],
  ["Math", mathBoldItalic, { ...bold, ...italic }],
  ["SansSerif", sans],
  ["SansSerif", sansBold, bold],
  ["SansSerif", sansItalic, italic],
  ["Script", script],
  ["Size1", size1],
  ["Size2", size2],
  ["Size3", size3],
  ["Size4", size4],
  ["Typewriter", typewriter],
];

// The browser fetches a face when a text first needs it.
for (const [family, url, descriptors] of faces) {
  document.fonts.add(new FontFace(`KaTeX_${family}`, `url(${url})`, descriptors));
}
const sheet = new CSSStyleSheet();
sheet.replaceSync(String(styles).replace(/@font-face\s*\{[^}]*\}/g, ""));
document.adoptedStyleSheets.push(sheet);
