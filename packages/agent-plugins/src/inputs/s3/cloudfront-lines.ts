/**
 * The two lines with which logs of CloudFront begin: they name the version and the columns of the lines behind them, and
 * are no events themselves.
 */
import { type FieldReference, type LogEvent, parseFieldReference } from '@shoal/agent-event';

const VERSION = '#Version: ';
const FIELDS = '#Fields: ';

export class CloudFrontLines {
  private readonly versionField: FieldReference;
  private readonly fieldsField: FieldReference;
  private version: string | null = null;
  private fields: string | null = null;

  constructor(isLegacy: boolean) {
    const below = '[@metadata][s3][cloudfront]';
    this.versionField = parseFieldReference(isLegacy ? '[cloudfront_version]' : `${below}[version]`);
    this.fieldsField = parseFieldReference(isLegacy ? '[cloudfront_fields]' : `${below}[fields]`);
  }

  /** Whether the event is such a line, which is remembered. */
  take(event: LogEvent): boolean {
    const message = event.fields.get('message');
    if (typeof message !== 'string' || !message.startsWith('#')) return false;
    if (message.startsWith(VERSION)) this.version = message.slice(VERSION.length).trim();
    else if (message.startsWith(FIELDS)) this.fields = message.slice(FIELDS.length).trim();
    else return false;
    return true;
  }

  decorate(event: LogEvent): void {
    if (this.version !== null) event.set(this.versionField, this.version);
    if (this.fields !== null) event.set(this.fieldsField, this.fields);
  }
}
