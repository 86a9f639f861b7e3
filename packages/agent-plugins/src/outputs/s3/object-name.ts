/**
 * Names of the objects that the s3 output writes, and where their files lie until then. Pure.
 *
 * A prefix comes from events, and is the folder of a file too: it must not lead out of its folder, nor be longer than a
 * disk or S3 takes.
 */
import { randomUuidText } from '@shoal/agent-plugin-kit';

/** Characters that no prefix may have: each becomes an underscore. */
const REFUSED = /[\^`><]/g;
const REFUSED_LISTED = '^`><';
/** A disk takes 255 bytes. */
const PART_BYTES_MAX = 255;
/** S3 takes keys of 1,024 bytes; the rest is for the name behind the prefix. */
const PREFIX_BYTES_MAX = 700;

/** What is wrong with a prefix as it is configured; null for a good one. */
export function prefixProblem(prefix: string): string | null {
  return prefix.search(REFUSED) < 0 ? null : `[prefix] must not contain any of ${REFUSED_LISTED}`;
}

export function normalPrefix(text: string): string {
  const parts = text
    .replace(REFUSED, '_')
    .replaceAll('\0', '_')
    .split('/')
    .map((part) => (part === '.' || part === '..' ? '_'.repeat(part.length) : cut(part, PART_BYTES_MAX)));
  return cut(parts.join('/'), PREFIX_BYTES_MAX);
}

export interface ObjectName {
  readonly tags: readonly string[];
  /** Count of the files of the prefix before this one. */
  readonly part: number;
  readonly isGzip: boolean;
  readonly nowMs: number;
}

/** Such as `ls.s3.312bc026-2f5d-49bc-ae9f-5940cf4ad9a6.2013-04-18T10.00.tag_hello.part0.txt`, in local time. */
export function objectName(random: Parameters<typeof randomUuidText>[0], name: ObjectName): string {
  const time = new Date(name.nowMs);
  const [month, day, hour, minute] = [time.getMonth() + 1, time.getDate(), time.getHours(), time.getMinutes()].map(
    (part) => String(part).padStart(2, '0'),
  );
  const tags = name.tags.length === 0 ? '' : `.tag_${name.tags.join('.')}`;
  const extension = name.isGzip ? 'txt.gz' : 'txt';
  return `ls.s3.${randomUuidText(random)}.${time.getFullYear()}-${month}-${day}T${hour}.${minute}${tags}.part${name.part}.${extension}`;
}

/** One slash between the two; a slash in front of all is not part of a key. */
export function objectKey(prefix: string, name: string): string {
  return (prefix === '' ? name : `${prefix.replace(/\/+$/, '')}/${name}`).replace(/^\//, '');
}

/** Without a broken character at its end. */
function cut(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text, 'utf8') <= bytesMax) return text;
  let end = 0;
  for (let bytes = 0; ; ) {
    const code = text.codePointAt(end) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > bytesMax) return text.slice(0, end);
    end += code < 0x10000 ? 1 : 2;
  }
}
