/**
 * The email output: an event, a mail. A mail that cannot be sent is dropped with an error, as a reminder is worth little later.
 */
import { readFileSync } from 'node:fs';
import { format } from 'node:util';
import { compileTemplate, type LogEvent } from '@shoal/agent-event';
import type { PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { createTransport } from 'nodemailer';
import { compileMustache } from './mustache-template.ts';

export const emailOutput: PluginDefinition = {
  kind: 'output',
  name: 'email',
  version: '4.1.3',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'plain' },
    to: { type: 'template', isRequired: true },
    from: { type: 'template', default: 'logstash.alert@example.com' },
    subject: { type: 'template', default: '' },
    body: { type: 'template', default: '' },
    htmlbody: { type: 'template', default: '' },
    cc: { type: 'template' },
    bcc: { type: 'template' },
    replyto: { type: 'template' },
    via: { type: ['smtp', 'sendmail'], default: 'smtp' },
    address: { type: 'string', default: 'localhost' },
    port: { type: 'number', default: 25 },
    /** Name that the agent greets the server with. */
    domain: { type: 'string', default: 'localhost' },
    username: { type: 'string' },
    password: { type: 'password' },
    use_tls: { type: 'boolean', default: false },
    authentication: { type: ['plain', 'login', 'cram_md5'] },
    attachments: { type: 'array', default: [] },
    /** Mustache template of the HTML part, filled with the fields of the event; it takes the place of `htmlbody`. */
    template_file: { type: 'path' },
    debug: { type: 'boolean', default: false },
    /** Content type of `htmlbody`. */
    contenttype: { type: 'string', default: 'text/html; charset=UTF-8' },
  },
  create(options, context) {
    const transport = transportOf(options, context);
    const html = htmlOf(options);
    return {
      async receive(events) {
        for (const event of events) {
          try {
            await transport.sendMail(mailOf(event, options, html));
          } catch (error) {
            context.metrics.increment('failures');
            context.runtime.log.error('a mail could not be sent and is dropped', { error: String(error) });
          }
        }
      },
      async stop() {
        transport.close();
      },
    };
  },
};

/** Text of the HTML part of an event's mail; empty: the mail has none. */
function htmlOf(options: PluginOptions): (event: LogEvent) => string {
  if (!options.has('template_file')) return (event) => options.template('htmlbody').render(event);
  const template = compileMustache(readFileSync(options.string('template_file'), 'utf8'));
  return (event) => template.render(event.fields);
}

function transportOf(
  options: PluginOptions,
  context: PluginContext,
): { sendMail(mail: Mail): Promise<unknown>; close(): void } {
  if (options.string('via') === 'sendmail') return createTransport({ sendmail: true });
  const method = options.has('authentication')
    ? options.string('authentication').replace('_', '-').toUpperCase()
    : null;
  return createTransport({
    host: options.string('address'),
    port: options.number('port'),
    secure: options.boolean('use_tls') && options.number('port') === 465,
    // Without `use_tls` nothing is upgraded: the same as configured, neither more nor less.
    ignoreTLS: !options.boolean('use_tls'),
    requireTLS: options.boolean('use_tls'),
    ...(options.boolean('debug') ? { debug: true, logger: dialogueLog(context) } : {}),
    name: options.string('domain'),
    ...(method === null ? {} : { authMethod: method }),
    ...(options.has('username')
      ? { auth: { user: options.string('username'), pass: options.has('password') ? options.string('password') : '' } }
      : {}),
  });
}

type Level = 'level' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** What client and server say to each other, into the agent's log: that is what `debug` is for. */
function dialogueLog(context: PluginContext): Readonly<Record<Level, (...parts: unknown[]) => void>> {
  const line = (_entry: unknown, text?: unknown, ...parts: unknown[]): void =>
    context.runtime.log.info('smtp', { plugin: context.pluginId, said: format(text, ...parts) });
  return { level: () => undefined, trace: line, debug: line, info: line, warn: line, error: line, fatal: line };
}

interface Mail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly alternatives?: { readonly contentType: string; readonly content: string }[];
  readonly cc?: string;
  readonly bcc?: string;
  readonly replyTo?: string;
  readonly attachments: { readonly path: string }[];
}

function mailOf(event: LogEvent, options: PluginOptions, html: (event: LogEvent) => string): Mail {
  const text = (name: string): string => options.template(name).render(event);
  const htmlText = html(event);
  return {
    to: text('to'),
    from: text('from'),
    subject: text('subject'),
    // Configurations without escapes write a line break as two characters.
    text: text('body').replaceAll('\\n', '\n'),
    ...(htmlText === '' ? {} : { alternatives: [{ contentType: options.string('contenttype'), content: htmlText }] }),
    ...(options.has('cc') ? { cc: text('cc') } : {}),
    ...(options.has('bcc') ? { bcc: text('bcc') } : {}),
    ...(options.has('replyto') ? { replyTo: text('replyto') } : {}),
    attachments: options.strings('attachments').map((path) => ({ path: compileTemplate(path).render(event) })),
  };
}
