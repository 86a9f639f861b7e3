/**
 * `strptime`: a time out of a text by a pattern of directives.
 */
import { RubyTime, TIME, type TimeOffset, timeOf } from '../values/ruby-time.ts';
import type { RubyClass } from '../values/ruby-value.ts';
import { COMPOSED, MONTHS, WEEKDAYS } from '../values/time-format.ts';
import { parseOffset } from './time-text.ts';

interface Found {
  year?: number;
  month?: number;
  day?: number;
  dayOfYear?: number;
  hour?: number;
  minute?: number;
  second?: number;
  nanos?: number;
  isAfternoon?: boolean;
  epochMs?: number;
  zone?: TimeOffset;
}

type Reader = readonly [RegExp, (found: Found, text: string) => void];

const two = (set: (found: Found, value: number) => void): Reader => [
  /\d{1,2}/y,
  (found, text) => set(found, Number(text)),
];
const names = (list: readonly string[]): RegExp =>
  new RegExp(list.flatMap((name) => [name, name.slice(0, 3)]).join('|'), 'iy');
const indexIn = (list: readonly string[], text: string): number =>
  list.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase());

const month = (found: Found, text: string): void => {
  found.month = indexIn(MONTHS, text) + 1;
};
const day = two((found, value) => {
  found.day = value;
});
const hour = two((found, value) => {
  found.hour = value;
});
const half: Reader = [
  /[ap]\.?m\.?/iy,
  (found, text) => {
    found.isAfternoon = /^p/i.test(text);
  },
];
const fraction: Reader = [
  /\d+/y,
  (found, text) => {
    found.nanos = Number(text.padEnd(9, '0').slice(0, 9));
  },
];

const READERS: Readonly<Record<string, Reader>> = {
  Y: [
    /[-+]?\d{1,4}/y,
    (found, text) => {
      found.year = Number(text);
    },
  ],
  y: two((found, value) => {
    found.year = value + (value >= 69 ? 1900 : 2000);
  }),
  m: two((found, value) => {
    found.month = value;
  }),
  B: [names(MONTHS), month],
  b: [names(MONTHS), month],
  h: [names(MONTHS), month],
  d: day,
  e: [/ ?\d{1,2}/y, day[1]],
  j: [
    /\d{1,3}/y,
    (found, text) => {
      found.dayOfYear = Number(text);
    },
  ],
  H: hour,
  k: [/ ?\d{1,2}/y, hour[1]],
  I: hour,
  l: [/ ?\d{1,2}/y, hour[1]],
  M: two((found, value) => {
    found.minute = value;
  }),
  S: two((found, value) => {
    found.second = value;
  }),
  L: fraction,
  N: fraction,
  p: half,
  P: half,
  A: [names(WEEKDAYS), () => undefined],
  a: [names(WEEKDAYS), () => undefined],
  z: [
    /Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?(?::?\d{2})?/iy,
    (found, text) => {
      found.zone = parseOffset(text) ?? 'utc';
    },
  ],
  Z: [
    /[-+]\d{2}:?\d{2}|[A-Za-z]+/y,
    (found, text) => {
      found.zone = parseOffset(text) ?? 'utc';
    },
  ],
  s: [
    /-?\d+/y,
    (found, text) => {
      found.epochMs = Number(text) * 1000;
    },
  ],
  Q: [
    /-?\d+/y,
    (found, text) => {
      found.epochMs = Number(text);
    },
  ],
  '%': [/%/y, () => undefined],
  n: [/\s+/y, () => undefined],
  t: [/\s+/y, () => undefined],
  u: [/\d/y, () => undefined],
  w: [/\d/y, () => undefined],
};

export function parsePattern(
  text: string,
  pattern: string,
  today: RubyTime,
  zone: TimeOffset,
  rubyClass: RubyClass,
): RubyTime | null {
  const found: Found = {};
  const end = read(text, pattern, found);
  if (end === null || (rubyClass !== TIME && text.slice(end).trim() !== '')) return null;
  const own = found.zone ?? zone;
  const shown = rubyClass !== TIME && own === 'utc' ? 0 : own;
  if (found.epochMs !== undefined) return new RubyTime(found.epochMs, found.nanos ?? 0, shown, rubyClass);
  return built(found, today, shown, rubyClass);
}

function built(found: Found, today: RubyTime, zone: TimeOffset, rubyClass: RubyClass): RubyTime | null {
  const now = today.fields();
  const { year = now.year, minute = 0, second = 0 } = found;
  let { hour: hours = 0 } = found;
  if (found.isAfternoon === true && hours < 12) hours += 12;
  if (found.isAfternoon === false && hours === 12) hours = 0;
  const hasDate = found.year !== undefined || found.month !== undefined || found.day !== undefined;
  const months = found.dayOfYear === undefined ? (found.month ?? (hasDate ? 1 : now.month)) : 1;
  const days = found.dayOfYear ?? found.day ?? (hasDate ? 1 : now.day);
  const isOutside =
    months < 1 ||
    months > 12 ||
    days < 1 ||
    (found.dayOfYear === undefined && days > 31) ||
    hours > 24 ||
    minute > 59 ||
    second > 60;
  return isOutside
    ? null
    : timeOf({ year, month: months, day: days, hour: hours, minute, second }, found.nanos ?? 0, zone, rubyClass);
}

/** Where the text was read to; null where it does not fit. */
function read(text: string, pattern: string, found: Found): number | null {
  let at = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] ?? '';
    if (/\s/.test(char)) {
      while (/\s/.test(text[at] ?? '')) at++;
    } else if (char !== '%') {
      if (text[at] !== char) return null;
      at++;
    } else {
      while (/[-0^#_:\d]/.test(pattern[i + 1] ?? '')) i++;
      const letter = pattern[++i] ?? '';
      const composed = COMPOSED[letter];
      if (composed !== undefined) {
        const end = read(text.slice(at), composed, found);
        if (end === null) return null;
        at += end;
        continue;
      }
      const reader = READERS[letter];
      if (reader === undefined) return null;
      // Years run into what follows them unless that is no digit.
      const [form, set] =
        letter === 'Y' && /^%[a-zA-Z]/.test(pattern.slice(i + 1))
          ? [/\d{4}/y, READERS.Y?.[1] ?? (() => undefined)]
          : reader;
      form.lastIndex = at;
      const match = form.exec(text);
      if (match === null) return null;
      set(found, match[0]);
      at += match[0].length;
    }
  }
  return at;
}
