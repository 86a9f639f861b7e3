/**
 * The text that follows another: `az` → `ba`, `a9` → `b0`, `Zz` → `AAa`.
 */

export function successor(text: string): string {
  if (text === '') return '';
  const chars = text.split('');
  if (!/[A-Za-z0-9]/.test(text)) return lastRaised(chars);
  let at = chars.findLastIndex((char) => /[A-Za-z0-9]/.test(char));
  for (;;) {
    const char = chars[at] ?? '';
    const next = raised(char);
    chars[at] = next.char;
    if (!next.carries) return chars.join('');
    const before = chars.slice(0, at).findLastIndex((one) => /[A-Za-z0-9]/.test(one));
    if (before < 0) {
      chars.splice(at, 0, next.inserted);
      return chars.join('');
    }
    at = before;
  }
}

function raised(char: string): { readonly char: string; readonly carries: boolean; readonly inserted: string } {
  if (char === 'z') return { char: 'a', carries: true, inserted: 'a' };
  if (char === 'Z') return { char: 'A', carries: true, inserted: 'A' };
  if (char === '9') return { char: '0', carries: true, inserted: '1' };
  return { char: String.fromCharCode(char.charCodeAt(0) + 1), carries: false, inserted: '' };
}

function lastRaised(chars: string[]): string {
  const last = chars.pop() ?? '';
  return chars.join('') + String.fromCharCode(last.charCodeAt(0) + 1);
}
