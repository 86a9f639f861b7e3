/** `date_index_name`: the index of a document by a date in it, as a name with date math. */
import { dateFormatter } from '@shoal/schema';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { metadataPath } from '../../document/ingest-document.ts';
import { textTemplate } from '../../templates/value-template.ts';
import { dateReader, namedZone } from '../../values/date-reader.ts';
import { keepResults } from '../../values/kept-results.ts';
import { readDate } from './date-option.ts';

const DATE_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSSXX";
const MINUTE_MS = 60_000;

export const dateIndexNameProcessor: ProcessorType = {
  type: 'date_index_name',
  create(config, { clock }) {
    const locale = config.optionalText('locale') ?? 'en';
    const timezone = config.optionalText('timezone') ?? 'UTC';
    const zone = namedZone(timezone);
    const formats = config.optionalTexts('date_formats') ?? [DATE_FORMAT];
    const field = parseFieldPath(config.text('field'));
    const prefix = textTemplate(config.optionalText('index_name_prefix') ?? '');
    const rounding = config.textTemplate('date_rounding');
    const nameFormat = textTemplate(config.optionalText('index_name_format') ?? 'yyyy-MM-dd');
    const printer = keepResults((format) => dateFormatter(format));
    const index = metadataPath('_index');
    const readers = formats.map((format) => () => dateReader(format, { zone, locale, nowMs: clock.wallMs() }));
    return simple((document) => {
      const ms = readDate(document.get(field), readers);
      const format = nameFormat(document);
      const day = printer(format).print(ms, zone.offsetAt(ms) / MINUTE_MS);
      const math = `${day}||/${rounding(document)}{${format}|${timezone}}`;
      document.set(index, `<${prefix(document)}{${math}}>`);
    });
  },
};
