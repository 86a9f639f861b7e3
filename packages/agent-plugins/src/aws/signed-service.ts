/**
 * A service of Amazon that takes every call as a signed POST to one address.
 */
import { type HttpAnswer, HttpClient, type PluginContext, type PluginOptions } from '@shoal/agent-plugin-kit';
import { AdditionalSettings, connectionSettings } from './additional-settings.ts';
import { awsCredentials } from './aws-credentials.ts';
import { awsEndpoint } from './aws-options.ts';
import type { CredentialSource } from './credential-source.ts';
import { signedHeaders } from './signature-v4.ts';

/** Beyond the time that a service itself may hold a call. */
const TIMEOUT_MS = 60_000;

export class SignedService {
  private readonly context: PluginContext;
  private readonly http: HttpClient;
  private readonly service: string;
  private readonly url: URL;
  private readonly region: string;
  private readonly credentials: CredentialSource;

  /** @throws ShoalError for options that make no client */
  constructor(service: string, options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.service = service;
    this.url = new URL(`${awsEndpoint(options, service)}/`);
    this.region = options.string('region');
    this.credentials = awsCredentials(options, context);
    const settings = new AdditionalSettings(options);
    this.http = new HttpClient(connectionSettings(settings, options));
    settings.end();
  }

  /** @throws ShoalError when there is no answer */
  async post(headers: Readonly<Record<string, string>>, body: Buffer): Promise<HttpAnswer> {
    const { url, service, region } = this;
    const nowMs = this.context.runtime.clock.wallMs();
    const request = { method: 'POST', url, headers, body, service, region, nowMs };
    const signed = signedHeaders(request, await this.credentials.current());
    return this.http.call({ method: 'POST', url: url.href, headers: signed, body, timeoutMs: TIMEOUT_MS });
  }

  close(): void {
    this.http.close();
  }
}
