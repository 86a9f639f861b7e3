/**
 * Events as JSON text: what the json codecs, stdout and bulk requests send. On the hot path.
 *
 * `@metadata` is not in it.
 */
import type { LogEvent } from '../event/log-event.ts';
import { ShapedJsonWriter } from './shaped-json.ts';
import { mapText, quote } from './value-json-text.ts';

const shapedWriter = new ShapedJsonWriter();

export function eventToJsonText(event: LogEvent): string {
  return shapedWriter.text(event) ?? mapText(event.fields, quote);
}

/** The same as `eventToJsonText` for many events: caches how their names are written. */
export class EventJsonWriter {
  private readonly names = new Map<string, string>();
  private readonly shaped = new ShapedJsonWriter();

  text(event: LogEvent): string {
    return this.shaped.text(event) ?? mapText(event.fields, this.nameText);
  }

  private readonly nameText = (name: string): string => {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const text = quote(name);
    // Names may come from the data: whoever sends ever new ones gains nothing, and costs no memory.
    if (this.names.size < NAMES_MAX) this.names.set(name, text);
    return text;
  };
}

const NAMES_MAX = 1_000;
