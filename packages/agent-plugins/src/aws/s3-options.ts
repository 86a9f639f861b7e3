/**
 * Options of plugins that talk to Amazon S3, or to a store that speaks its protocol, and the settings of its client.
 */
import type { HttpClientOptions, OptionDeclarations, PluginOptions } from '@shoal/agent-plugin-kit';
import { AdditionalSettings, connectionSettings, readBoolean, readNumber } from './additional-settings.ts';
import { awsOptions } from './aws-options.ts';

const REPEATS = 3;
const REPEATS_MAX = 100;

export const s3Options: OptionDeclarations = {
  ...awsOptions,
  bucket: { type: 'string', isRequired: true },
};

export interface S3Settings {
  readonly isPathStyle: boolean;
  readonly followsRedirects: boolean;
  /** Times that a call is made again that the server could not answer. */
  readonly repeats: number;
  readonly http: HttpClientOptions;
}

/** @throws ShoalError for a setting that is unknown, or has a value of another type */
export function s3Settings(options: PluginOptions): S3Settings {
  const settings = new AdditionalSettings(options);
  const found: S3Settings = {
    isPathStyle: settings.take('force_path_style', readBoolean, false),
    followsRedirects: settings.take('follow_redirects', readBoolean, true),
    repeats: settings.take('retry_limit', (value) => readNumber(value, REPEATS_MAX), REPEATS),
    http: connectionSettings(settings, options),
  };
  settings.end();
  return found;
}
