/**
 * The kernels that unpack a block of 128 numbers, one function a width: four lanes at a time, every shift a constant.
 *
 * Row r of a block holds numbers 4r..4r+3 and starts at bit r * width of each lane. See packages/engine/src/format/postings/packed-block.ts
 * for the same in plain form.
 */
const WIDTH_MAX = 32;
/** Wider deltas are rare, and summed in a second pass: a function for each would be code that nobody runs. */
const SUMMED_WIDTH_MAX = 20;
const ROWS = 32;

/** Statements that leave row after row in `v`; `emit` says what becomes of each. */
function rows(width, emit) {
  let text = '';
  let loaded = -1;
  const load = (word) => {
    loaded = word;
    return `  w = v128.load(source, ${word * 16});\n`;
  };
  for (let row = 0; row < ROWS; row++) {
    const bit = row * width;
    const word = bit >> 5;
    const shift = bit & 31;
    if (word !== loaded) text += load(word);
    text += shift === 0 ? '  v = w;\n' : `  v = i32x4.shr_u(w, ${shift});\n`;
    if (shift + width > 32) text += `${load(word + 1)}  v = v128.or(v, i32x4.shl(w, ${32 - shift}));\n`;
    // The topmost bits of a word have nothing above them.
    if (shift + width !== 32) text += '  v = v128.and(v, mask);\n';
    text += emit(row);
  }
  return text;
}

const declare = (width) =>
  `  const mask = i32x4.splat(${width === 32 ? -1 : 2 ** width - 1});\n  let w: v128;\n  let v: v128;\n`;

/** Sums each row's deltas onto the last document of the row before. */
function docs(width) {
  if (width === 0)
    return 'function docs0(source: usize, into: usize, base: i32): void {\n  for (let i: usize = 0; i < 512; i += 4) store<i32>(into + i, base);\n}\n';
  const sum = (row) =>
    `  v = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 4, 5, 6));
  v = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 1, 4, 5));
  v = i32x4.add(v, last);
  v128.store(into, v, ${row * 16});
  last = v128.shuffle<i32>(v, v, 3, 3, 3, 3);
`;
  return `function docs${width}(source: usize, into: usize, base: i32): void {
  const zero = i32x4.splat(0);
  let last = i32x4.splat(base);
${declare(width)}${rows(width, sum)}}
`;
}

function freqs(width) {
  if (width === 0) return 'function freqs0(source: usize, into: usize): void {\n  memory.fill(into, 0, 512);\n}\n';
  return `function freqs${width}(source: usize, into: usize): void {
${declare(width)}${rows(width, (row) => `  v128.store(into, v, ${row * 16});\n`)}}
`;
}

const SUM_ROWS = `function sumRows(into: usize, base: i32): void {
  const zero = i32x4.splat(0);
  let last = i32x4.splat(base);
  for (let p = into; p < into + 512; p += 16) {
    let v = v128.load(p);
    v = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 4, 5, 6));
    v = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 1, 4, 5));
    v = i32x4.add(v, last);
    v128.store(p, v);
    last = v128.shuffle<i32>(v, v, 3, 3, 3, 3);
  }
}
`;

function choice(name, parameters, call) {
  const widths = Array.from({ length: WIDTH_MAX + 1 }, (_, width) => width);
  return `export function unpack${name}(width: u32, ${parameters}): void {
  switch (width) {
${widths.map((width) => `    case ${width}: ${call(width)} return;`).join('\n')}
  }
}
`;
}

/** AssemblyScript text of \`unpackDocs\` (deltas to documents behind \`base\`) and \`unpackFreqs\` (as they are). */
export function unpackSource() {
  let text = '';
  for (let width = 0; width <= SUMMED_WIDTH_MAX; width++) text += docs(width);
  for (let width = 0; width <= WIDTH_MAX; width++) text += freqs(width);
  text += SUM_ROWS;
  text += choice('Docs', 'source: usize, into: usize, base: i32', (width) =>
    width <= SUMMED_WIDTH_MAX
      ? `docs${width}(source, into, base);`
      : `freqs${width}(source, into); sumRows(into, base);`,
  );
  text += choice('Freqs', 'source: usize, into: usize', (width) => `freqs${width}(source, into);`);
  return text;
}
