/**
 * Where weeks begin in a locale.
 */
import type { JavaLocale } from './java-locale.ts';
import { JavaWeekFields, SUNDAY_WEEKS } from './week-fields.ts';

interface WeekInfo {
  readonly firstDay: number;
  readonly minimalDays?: number;
}

/** Countries whose first week is that with most of its days in the year, as ISO 8601 has it. */
const MOST_DAYS = new Set(
  'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL RE RU SE SJ SK SM VA'.split(
    ' ',
  ),
);

export function weekFieldsOf(locale: JavaLocale): JavaWeekFields {
  if (locale.isEnglish && locale.country === '') return SUNDAY_WEEKS;
  const own = new Intl.Locale(locale.platformTag).maximize() as Intl.Locale & {
    readonly weekInfo?: WeekInfo;
    readonly getWeekInfo?: () => WeekInfo;
  };
  const info = own.getWeekInfo?.() ?? own.weekInfo;
  const first = info?.firstDay ?? 1;
  return new JavaWeekFields(first, info?.minimalDays ?? (MOST_DAYS.has(own.region ?? '') ? 4 : 1));
}
