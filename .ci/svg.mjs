// A terminal's screen, as tmux captures it with its colours, as an SVG. Lines, blocks and braille are drawn as shapes, so that
// they fit together whatever font the reader has.

const cell = { width: 8.4, height: 18 };
const ground = "#10141d";
const plain = "#d5dae5";
const basic = ["#10141d", "#ff7a85", "#7dd492", "#f2c26b", "#72c1ff", "#c8a2ff", "#72c1ff", "#d5dae5"];

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const number = (value) => Number(value.toFixed(2));

/** The cells of a line: character, foreground, background, weight; tmux takes the look over from line to line. */
function cellsOf(line, widthOf, before) {
  const cells = [];
  let look = before;
  for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (codes !== undefined) look = looked(look, codes);
    else
      for (const sign of text)
        for (let i = 0; i < widthOf(sign); i++) cells.push({ ...look, sign: i === 0 ? sign : "" });
  }
  return { cells, look };
}

function looked(look, codes) {
  const list = codes === "" ? [0] : codes.split(";").map(Number);
  let next = { ...look };
  for (let i = 0; i < list.length; i++) {
    const code = list[i];
    if (code === 0) next = {};
    else if (code === 1) next.isBold = true;
    else if (code === 7) next.isInverse = true;
    else if (code === 38 || code === 48) {
      const colour = `#${list
        .slice(i + 2, i + 5)
        .map((part) => part.toString(16).padStart(2, "0"))
        .join("")}`;
      if (code === 38) next.fore = colour;
      else next.back = colour;
      i += 4;
    } else if (code === 39) next.fore = undefined;
    else if (code === 49) next.back = undefined;
    else if (code >= 30 && code <= 37) next.fore = basic[code - 30];
    else if (code >= 90 && code <= 97) next.fore = basic[code - 90];
  }
  return next;
}

const rect = (x, y, width, height, fill) =>
  `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${fill}"/>`;

const dots = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80];

/** The shape of a sign that is drawn; null for one that is written. */
function shapeOf(sign, x, y, fill) {
  const code = sign.codePointAt(0) ?? 0;
  const [middle, centre] = [x + cell.width / 2, y + cell.height / 2];
  if (code >= 0x2800 && code <= 0x28ff) {
    return dots
      .map((bit, i) => {
        if (!(code & bit)) return "";
        const [column, row] = [Math.floor(i / 4), i % 4];
        return rect(
          x + (column + 0.12) * (cell.width / 2),
          y + (row + 0.12) * (cell.height / 4),
          (cell.width / 2) * 0.8,
          (cell.height / 4) * 0.8,
          fill,
        );
      })
      .join("");
  }
  if (sign === "█") return rect(x, y, cell.width + 0.2, cell.height + 0.2, fill);
  if (sign === "▀") return rect(x, y, cell.width + 0.2, cell.height / 2, fill);
  if (sign === "▄") return rect(x, centre, cell.width + 0.2, cell.height / 2 + 0.2, fill);
  const ends = { right: x + cell.width, bottom: y + cell.height };
  const paths = {
    "─": `M${x} ${centre}H${ends.right}`,
    "━": `M${x} ${centre}H${ends.right}`,
    "│": `M${middle} ${y}V${ends.bottom}`,
    "╭": `M${ends.right} ${centre}H${middle + 3}Q${middle} ${centre} ${middle} ${centre + 4}V${ends.bottom}`,
    "╮": `M${x} ${centre}H${middle - 3}Q${middle} ${centre} ${middle} ${centre + 4}V${ends.bottom}`,
    "╰": `M${ends.right} ${centre}H${middle + 3}Q${middle} ${centre} ${middle} ${centre - 4}V${y}`,
    "╯": `M${x} ${centre}H${middle - 3}Q${middle} ${centre} ${middle} ${centre - 4}V${y}`,
  };
  const path = paths[sign]?.replaceAll(/\d+\.\d+/g, (value) => String(number(Number(value))));
  return path ? `<path d="${path}" stroke="${fill}" fill="none" stroke-width="1.2"/>` : null;
}

/** `widthOf` tells how many cells a character takes. */
export function svgOf(screen, { columns, rows, widthOf }) {
  const margin = 12;
  const width = number(columns * cell.width + 2 * margin);
  const height = rows * cell.height + 2 * margin;
  let look = {};
  const parts = screen
    .split("\n")
    .slice(0, rows)
    .flatMap((line, row) => {
      const drawn = cellsOf(line, widthOf, look);
      look = drawn.look;
      return lineParts(drawn.cells, margin, margin + row * cell.height);
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace" font-size="14" xml:space="preserve">',
    ...parts,
    "</g></svg>\n",
  ].join("\n");
}

function lineParts(cells, left, top) {
  const parts = [];
  let run = null;
  const end = () => {
    if (run && run.text.trim() !== "") {
      const bold = run.isBold ? ' font-weight="bold"' : "";
      const length = number(run.count * cell.width);
      parts.push(
        `<text x="${number(run.x)}" y="${number(top + 13.5)}" fill="${run.fill}"${bold} textLength="${length}">${escaped(run.text)}</text>`,
      );
    }
    run = null;
  };
  for (const [i, { sign, fore, back, isBold, isInverse }] of cells.entries()) {
    const x = left + i * cell.width;
    const fill = isInverse ? (back ?? ground) : (fore ?? plain);
    const behind = isInverse ? (fore ?? plain) : back;
    if (behind) parts.push(rect(x, top, cell.width + 0.2, cell.height, behind));
    const shape = shapeOf(sign, x, top, fill);
    if (shape !== null && sign !== "") {
      end();
      parts.push(shape);
    } else if (sign === " ") {
      end();
    } else {
      if (run && (run.fill !== fill || run.isBold !== isBold)) end();
      run ??= { x, fill, isBold, text: "", count: 0 };
      run.text += sign;
      run.count++;
    }
  }
  end();
  return parts;
}
