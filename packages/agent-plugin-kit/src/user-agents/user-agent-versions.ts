/** Versions of browsers and systems, as one text of their parts. */
import type { UserAgent } from './user-agent-parser.ts';

/** Version of a browser, its parts joined; null without one. `text`: the user agent, which may have a fourth part. */
export function browserVersion([, ...parts]: UserAgent['browser'], text: string): string | null {
  const version = joined(parts, '.');
  const [major, minor, patch, build] = parts;
  const hasThree = [major, minor, patch].every((part) => part !== null && part !== undefined);
  return version === null || !hasThree || (build ?? null) !== null ? version : withBuild(version, text);
}

/** A fourth part that no rule names but that stands in the text, with a blank behind it, belongs to the version. */
function withBuild(version: string, text: string): string {
  const start = text.indexOf(version);
  const end = start + version.length;
  const blank = text.indexOf(' ', end + 1);
  if (start < 0 || text[end] !== '.' || blank < 0) return version;
  const build = text.slice(end + 1, blank);
  return PLAIN_NUMBER.test(build) ? `${version}.${build}` : version;
}

const PLAIN_NUMBER = /^(?:0|-?[1-9]\d*)$/;

/** Version of a system; names such as `Vista` stand apart from what follows them. null without one. */
export function systemVersion([, ...parts]: UserAgent['system']): string | null {
  const [major, ...rest] = parts;
  if (major === null || major === undefined) return null;
  const more = joined(rest, '.');
  return more === null ? major : `${major}${PLAIN_NUMBER.test(major) ? '.' : ' '}${more}`;
}

/** Parts up to the first that is not known; null without any. */
function joined(parts: readonly (string | null | undefined)[], separator: string): string | null {
  const end = parts.findIndex((part) => part === null || part === undefined);
  const known = parts.slice(0, end < 0 ? undefined : end);
  return known.length === 0 ? null : known.join(separator);
}
