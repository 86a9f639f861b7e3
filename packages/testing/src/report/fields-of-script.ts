/**
 * Fields whose values a script reads under a name that stands in it: `doc['price'].value`. A name that the script puts together, or asks
 * for by `containsKey` first, is nobody's mistake for certain.
 */

/** Comments and texts of a script, and what reads a field, whichever comes first from the left. */
const PARTS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w.$])doc\s*(?:\[\s*(?<read>'[^'\\]*'|"[^"\\]*")\s*\]|\.\s*(?:get\s*\(\s*(?<got>'[^'\\]*'|"[^"\\]*")\s*\)|containsKey\s*\(\s*(?<asked>'[^'\\]*'|"[^"\\]*")))|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;

export function fieldsOfScript(source: string): readonly string[] {
  const groups = [...source.matchAll(PARTS)].map((found) => found.groups ?? {});
  const asked = new Set(groups.map((group) => group.asked?.slice(1, -1)));
  const names = groups.flatMap(({ read, got }) => (read ?? got)?.slice(1, -1) ?? []);
  return names.filter((name) => !asked.has(name));
}
