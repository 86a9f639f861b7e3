/**
 * `${NAME}` and `${NAME:default}` in texts of a configuration, and the escapes of `config.support_escapes`.
 */

/** A name's value from the key store or the environment, handed in as data; undefined when there is none. */
export type VariableLookup = (name: string) => string | undefined;

const VARIABLE = /\$\{([A-Za-z_.][A-Za-z0-9_.]*)(?::([^}]*))?\}/g;

export interface Substitution {
  /** With a list where the replaced text looks like `[a, b]`. */
  readonly value: string | readonly string[];
  /** Names without value and default. */
  readonly missing: readonly string[];
}

export function substituteVariables(text: string, lookup: VariableLookup): Substitution {
  if (!text.includes('${')) return { value: text, missing: [] };
  const missing: string[] = [];
  let hasVariable = false;
  const replaced = text.replace(VARIABLE, (placeholder, name: string, fallback: string | undefined) => {
    hasVariable = true;
    const value = lookup(name) ?? fallback;
    if (value === undefined) missing.push(name);
    return value ?? placeholder;
  });
  if (!hasVariable) return { value: text, missing };
  return { value: asList(withoutQuotes(replaced)), missing };
}

function withoutQuotes(text: string): string {
  const quoted = /^"([^"]*)"$|^'([^']*)'$/.exec(text);
  return quoted === null ? text : (quoted[1] ?? quoted[2] ?? '');
}

/** `[a, b]` and `["a"]` are lists; `[a][b]` is a field reference and `[a-z]` may be a pattern. */
function asList(text: string): string | readonly string[] {
  const inner = /^\[([^[\]]*)\]$/.exec(text)?.[1];
  if (inner === undefined || !/[,"']/.test(inner)) return text;
  return inner.split(',').map((item) => withoutQuotes(item.trim()));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
};

/** Unknown escapes stay as they are. */
export function replaceEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, (written, char: string) => ESCAPES[char] ?? written);
}
