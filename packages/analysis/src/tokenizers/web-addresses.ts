/**
 * Web and mail addresses as the tokenizer `uax_url_email` knows them: by RFC 3986 and RFC 5321, hosts without a scheme only below a
 * top-level domain that there is.
 *
 * Each function takes a text that begins where the address would and gives its length, 0 where there is none.
 */
import { TOP_LEVEL_DOMAIN_LENGTH_MAX, TOP_LEVEL_DOMAINS } from './top-level-domains.ts';

const LABEL = '[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|0?[1-9][0-9]|0{0,2}[0-9])';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const HEX = '[0-9A-Fa-f]{1,4}';
const LAST_32_BITS = `(?:${HEX}:${HEX}|${IPV4})`;
/** By where the double colon stands: groups before it, and as many as may follow. */
const IPV6 = `(?:${[
  `(?:${HEX}:){6}${LAST_32_BITS}`,
  ...[5, 4, 3, 2, 1, 0].map((after) => `${groupsUpTo(5 - after)}::(?:${HEX}:){${after}}${LAST_32_BITS}`),
  `${groupsUpTo(6)}::${HEX}`,
  `${groupsUpTo(7)}::`,
].join('|')})`;
const PLAIN = 'A-Za-z0-9\\-._~';
const ESCAPED = '%[0-9A-Fa-f]{2}';
const DELIMITERS = "!$&'()*+,;=";

const PORT = '(?::[0-9]{1,5})?';
const LOGIN_PART = `(?:[${PLAIN}${DELIMITERS}]|${ESCAPED})*`;
const LOGIN = `(?:${LOGIN_PART}(?::${LOGIN_PART})?@)?`;
const ANY_HOST = `(?:\\[${IPV6}\\]|${LABEL}(?:\\.${LABEL})*)`;
const QUERY_PART = `(?:[${PLAIN}${DELIMITERS}:@/?]|${ESCAPED})*`;
const HTTP_PATH = `(?:/(?:[${PLAIN};:@&=]|${ESCAPED})*)*`;
const HTTP_REST = `${PORT}${HTTP_PATH}(?:\\?${QUERY_PART})?(?:#${QUERY_PART})?`;
const FILE_PATH = `(?:/(?:[${PLAIN}?:@&=]|${ESCAPED})*)+`;
const FRAGMENT = `(?:#${QUERY_PART})?`;

const FULL_URLS: readonly RegExp[] = [
  new RegExp(`^[hH][tT][tT][pP][sS]?://${LOGIN}${ANY_HOST}${HTTP_REST}`),
  new RegExp(`^[fF][tT][pP]://${LOGIN}${ANY_HOST}${PORT}${FILE_PATH}(?:;[tT][yY][pP][eE]=[aAiIdD])?${FRAGMENT}`),
  new RegExp(`^[fF][iI][lL][eE]://(?:${ANY_HOST})?${FILE_PATH}${FRAGMENT}`),
];
const NUMERIC_HOST = new RegExp(`^(?:\\[${IPV6}\\]|${IPV4})`);
const HTTP_REST_ONLY = new RegExp(`^${HTTP_REST}`);
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*`);

const WORD_GOES_ON = /^[-\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u;

const QUOTED = '"(?:[\\x01-\\x08\\x0b\\x0c\\x0e-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\0-\\x7f])*"';
const LOCAL_PART = new RegExp(`^(?:[A-Za-z0-9!#$%&'*+,\\-./=?^_\`{|}~]|(?<=^|\\.)${QUOTED}(?=[.@]))+@`);
const BRACKETED_TEXT = '[\\x01-\\x08\\x0b\\x0c\\x0e-\\x5a\\x5e-\\x7f]|\\\\[\\0-\\x7f]';
const BRACKETED_HOST = new RegExp(`^\\[(?:${BRACKETED_TEXT})*\\]`);

/** At most so many groups of an address of IPv6, as a pattern. */
function groupsUpTo(count: number): string {
  return count === 0 ? '' : `(?:(?:${HEX}:){0,${count - 1}}${HEX})?`;
}

/** Length of the domain at the start: labels, the last of them a top-level domain, or beginning so. */
function domainLength(text: string): number {
  const labels = LABELS.exec(text)?.[0].split('.') ?? [];
  let from = labels.reduce((sum, label) => sum + label.length + 1, 0);
  for (let i = labels.length - 1; i > 0; i--) {
    const label = labels[i] ?? '';
    from -= label.length + 1;
    const length = topLevelDomainLength(label);
    if (length > 0) return from + length;
  }
  return 0;
}

/** Length of a domain of this length with the full stop of the root, where it has one. */
function withRootOf(text: string, domain: number): number {
  return domain > 0 && text[domain] === '.' ? domain + 1 : domain;
}

/** Length of the longest top-level domain that a label begins with. */
function topLevelDomainLength(label: string): number {
  const lower = label.slice(0, TOP_LEVEL_DOMAIN_LENGTH_MAX).toLowerCase();
  for (let length = lower.length; length > 1; length--) {
    if (TOP_LEVEL_DOMAINS.has(lower.slice(0, length))) return length;
  }
  return 0;
}

/** @returns the length of the web address that the text begins with */
export function urlLength(text: string): number {
  let length = 0;
  for (const url of FULL_URLS) length = Math.max(length, url.exec(text)?.[0].length ?? 0);
  const domain = domainLength(text);
  const host = Math.max(NUMERIC_HOST.exec(text)?.[0].length ?? 0, domain);
  if (host === 0) return length;
  const withRoot = host === domain ? withRootOf(text, domain) : host;
  const rest = HTTP_REST_ONLY.exec(text.slice(withRoot))?.[0].length ?? 0;
  if (rest > 0) return Math.max(length, withRoot + rest);
  // A bare host that goes on as a word is no address; the full stop of the root belongs to it where something else follows.
  if (WORD_GOES_ON.test(text.slice(host))) return length;
  const isRooted = withRoot < text.length && !WORD_GOES_ON.test(text.slice(withRoot));
  return Math.max(length, isRooted ? withRoot : host);
}

/** @returns the length of the mail address that the text begins with */
export function emailLength(text: string): number {
  const local = LOCAL_PART.exec(text)?.[0].length ?? 0;
  if (local === 0) return 0;
  const rest = text.slice(local);
  const domain = domainLength(rest);
  const host = Math.max(withRootOf(rest, domain), BRACKETED_HOST.exec(rest)?.[0].length ?? 0);
  return host === 0 ? 0 : local + host;
}
