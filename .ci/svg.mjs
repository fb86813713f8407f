// A terminal's screen, as tmux captures it with its colours, as an SVG. Lines, blocks and braille are drawn as shapes, so that
// they fit together whatever font the reader has.

const cell = { width: 8.4, height: 18 };
/** The terminal's own colours. */
const grounds = { dark: ["#10141d", "#d5dae5"], light: ["#ffffff", "#2b3342"] };

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
    const [width, height] = [cell.width / 2, cell.height / 4];
    const drawn = dots.map((bit, i) => {
      if (!(code & bit)) return "";
      const [left, top] = [x + (Math.floor(i / 4) + 0.12) * width, y + ((i % 4) + 0.12) * height];
      return `M${number(left)} ${number(top)}h${number(width * 0.8)}v${number(height * 0.8)}h-${number(width * 0.8)}z`;
    });
    return `<path d="${drawn.join("")}" fill="${fill}"/>`;
  }
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
export function svgOf(screen, { columns, rows, widthOf, shade }) {
  const [ground] = grounds[shade];
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
      return lineParts(drawn.cells, { left: margin, top: margin + row * cell.height, shade });
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace" font-size="14" xml:space="preserve">',
    ...parts,
    "</g></svg>\n",
  ].join("\n");
}

/** Top and bottom of blocks, in parts of a cell's height. */
const blocks = { "█": [0, 1], "▀": [0, 0.5], "▄": [0.5, 1] };

/** Areas of one colour, each in one piece: between two, a line of the colour behind them would be seen. */
function areas(cells, left, areaOf) {
  const parts = [];
  for (let i = 0; i < cells.length; ) {
    const from = i;
    const { fill, y, height } = areaOf(cells[from]) ?? {};
    const isSame = (other) => other?.fill === fill && other?.y === y && other?.height === height;
    do i++;
    while (i < cells.length && isSame(areaOf(cells[i]) ?? {}));
    if (fill)
      parts.push(rect(left + from * cell.width, y, (i - from) * cell.width + 0.2, height + 0.2, fill));
  }
  return parts;
}

function lineParts(cells, { left, top, shade }) {
  const [ground, plain] = grounds[shade];
  const front = ({ fore, back, isInverse }) => (isInverse ? (back ?? ground) : (fore ?? plain));
  const behind = ({ fore, back, isInverse }) => (isInverse ? (fore ?? plain) : back);
  const parts = [
    ...areas(cells, left, (one) => ({ fill: behind(one), y: top, height: cell.height })),
    ...areas(cells, left, (one) => {
      const [from, to] = blocks[one.sign] ?? [];
      if (to === undefined) return null;
      return { fill: front(one), y: top + from * cell.height, height: (to - from) * cell.height };
    }),
  ];
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
  for (const [i, one] of cells.entries()) {
    const { sign, isBold } = one;
    const x = left + i * cell.width;
    const fill = front(one);
    const shape = sign in blocks ? "" : shapeOf(sign, x, top, fill);
    if (shape !== null && sign !== "") {
      end();
      if (shape !== "") parts.push(shape);
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
