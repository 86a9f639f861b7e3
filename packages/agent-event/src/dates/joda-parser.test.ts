import { expect, test } from 'vitest';
import { compileJodaParser } from './joda-parser.ts';
import { timeZone } from './time-zone.ts';

const DAY_MS = 86_400_000;

test.each(['MMM', 'MMMM', 'EEE', 'EEEE', 'MMMM d EEE'])(
  '%s reads English names as the platform knows them',
  (format) => {
    const utc = timeZone('UTC');
    const parserOf = (locale: string): ReturnType<typeof compileJodaParser> =>
      compileJodaParser(`yyyy ${format}`, { locale, nowMs: () => 0 });
    const [own, platform] = [parserOf('en'), parserOf('en-US')];
    for (let day = 0; day < 366; day += 5) {
      const date = new Date(Date.UTC(2024, 0, 1) + day * DAY_MS);
      for (const style of ['long', 'short'] as const) {
        const part = (options: Intl.DateTimeFormatOptions): string =>
          new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(date);
        const [month, weekday] = [part({ month: style }), part({ weekday: style })];
        const texts = [month, weekday, `${month} ${date.getUTCDate()} ${weekday}`, month.toUpperCase(), `${weekday}x`];
        for (const text of texts) {
          const read = own.parse(`2024 ${text}`, utc);
          expect([text, read]).toEqual([text, platform.parse(`2024 ${text}`, utc)]);
        }
      }
    }
  },
);
