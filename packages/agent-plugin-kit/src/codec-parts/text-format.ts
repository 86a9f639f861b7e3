/**
 * The text of one event for outputs and codecs that print text: the `format` option, or the default of Logstash.
 */
import { compileTemplate, type Template } from '@shoal/agent-event';
import type { PluginOptions } from '../contract/plugin-definition.ts';

/** Format of an event when no `format` is given. */
export const EVENT_TEXT: string = '%{@timestamp} %{host} %{message}';

export function textFormat(options: PluginOptions): Template {
  return options.has('format') ? options.template('format') : compileTemplate(EVENT_TEXT);
}
