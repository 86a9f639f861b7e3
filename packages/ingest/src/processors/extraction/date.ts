/** `date`: reads a date, and sets it as the time of the document. */
import { dateFormatter } from '@shoal/schema';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { pathTemplate, textTemplate } from '../../templates/value-template.ts';
import { dateReader, namedZone } from '../../values/date-reader.ts';
import { keepResults } from '../../values/kept-results.ts';
import { readDate } from './date-option.ts';

const OUTPUT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";
const MINUTE_MS = 60_000;

export const dateProcessor: ProcessorType = {
  type: 'date',
  create(config, { clock }) {
    const field = pathTemplate(config.text('field'));
    const target = parseFieldPath(config.optionalText('target_field') ?? '@timestamp');
    const timezone = textTemplate(config.optionalText('timezone') ?? 'UTC');
    const locale = textTemplate(config.optionalText('locale') ?? 'en');
    const formats = config.texts('formats');
    const outputFormat = config.optionalText('output_format') ?? OUTPUT_FORMAT;
    const output = dateFormatter(outputFormat);
    const zoneOf = keepResults(namedZone);
    // Formats without a year are of the year of the run, so that it is a part of the key.
    const readerOf = keepResults((key) => {
      const [format = '', zone = '', language = '', year = ''] = JSON.parse(key) as readonly string[];
      return dateReader(format, { zone: zoneOf(zone), locale: language, nowMs: Date.UTC(Number(year), 0, 1) });
    });
    return simple((document) => {
      const value = document.get(field(document));
      const zone = timezone(document);
      const year = String(new Date(clock.wallMs()).getUTCFullYear());
      const readers = formats.map((format) => () => readerOf(JSON.stringify([format, zone, locale(document), year])));
      const ms = readDate(value, readers);
      document.set(target, output.print(ms, zoneOf(zone).offsetAt(ms) / MINUTE_MS));
    });
  },
};
