/**
 * Options of plugins that talk to AWS: where, and as whom.
 */
import { type OptionDeclarations, optionError, type PluginOptions, refusedOptions } from '@shoal/agent-plugin-kit';

export const awsOptions: OptionDeclarations = {
  region: { type: 'string', default: 'us-east-1' },
  access_key_id: { type: 'string' },
  secret_access_key: { type: 'password' },
  session_token: { type: 'password' },
  aws_credentials_file: { type: 'path' },
  endpoint: { type: 'string' },
  proxy_uri: { type: 'string' },
  /** Role that is taken on, and the name under which AWS shows who did. */
  role_arn: { type: 'string' },
  role_session_name: { type: 'string', default: 'logstash' },
  additional_settings: { type: 'hash', default: {} },
  ...refusedOptions(['use_aws_bundled_ca']),
};

/** Domain that the services of a region are below. */
export function awsDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** Address of a service, without a slash at its end. */
export function awsEndpoint(
  options: PluginOptions,
  service: string,
  region: string = options.string('region'),
): string {
  const text = options.has('endpoint')
    ? options.string('endpoint')
    : `https://${service}.${region}.${awsDomain(region)}`;
  try {
    return new URL(text.includes('://') ? text : `https://${text}`).href.replace(/\/$/, '');
  } catch {
    throw optionError(`[endpoint => ${text}] is no address`);
  }
}
