/**
 * Options that the kafka input and output share: which brokers, how to reach them, and as whom.
 */
import { readFileSync } from 'node:fs';
import { type OptionDeclarations, optionError, type PluginOptions, refusedOptions } from '@shoal/agent-plugin-kit';

/** Says that an option of the Java client changes nothing here that anybody could see in an event. */
export function idleOptions(names: readonly string[]): OptionDeclarations {
  return Object.fromEntries(
    names.map((name) => [name, { type: 'string', deprecated: 'it has no effect: it tunes the client of Java' }]),
  );
}

export const kafkaOptions: OptionDeclarations = {
  bootstrap_servers: { type: 'string', default: 'localhost:9092' },
  metadata_max_age_ms: { type: 'number', default: 300_000 },
  request_timeout_ms: { type: 'number', default: 40_000 },
  retry_backoff_ms: { type: 'number', default: 100 },
  security_protocol: { type: ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'], default: 'PLAINTEXT' },
  sasl_mechanism: { type: 'string', default: 'GSSAPI' },
  sasl_jaas_config: { type: 'password' },
  jaas_path: { type: 'path' },
  ssl_truststore_location: { type: 'path' },
  ssl_truststore_type: { type: 'string' },
  ssl_truststore_password: { type: 'password' },
  ssl_keystore_location: { type: 'path' },
  ssl_keystore_type: { type: 'string' },
  ssl_keystore_password: { type: 'password' },
  ssl_key_password: { type: 'password' },
  ssl_endpoint_identification_algorithm: { type: 'string', default: 'https' },
  ...idleOptions([
    'client_dns_lookup',
    'connections_max_idle_ms',
    'receive_buffer_bytes',
    'reconnect_backoff_ms',
    'send_buffer_bytes',
  ]),
  ...refusedOptions(['kerberos_config', 'sasl_kerberos_service_name'], 'Kerberos is not supported; use SCRAM-SHA-512'),
  ...refusedOptions(
    ['sasl_client_callback_handler_class', 'sasl_login_callback_handler_class'],
    'classes of Java cannot be run; use PLAIN or SCRAM',
  ),
  ...refusedOptions(
    [
      'sasl_oauthbearer_token_endpoint_url',
      'sasl_oauthbearer_scope_claim_name',
      'sasl_login_connect_timeout_ms',
      'sasl_login_read_timeout_ms',
      'sasl_login_retry_backoff_ms',
      'sasl_login_retry_backoff_max_ms',
    ],
    'OAUTHBEARER is not supported; use PLAIN or SCRAM',
  ),
};

/** Options of every client. @throws ShoalError for what cannot be done */
export function clientOptions(options: PluginOptions, clientId: string): object {
  const protocol = options.string('security_protocol');
  return {
    clientId,
    bootstrapBrokers: brokersOf(options.string('bootstrap_servers')),
    timeout: options.number('request_timeout_ms'),
    retryDelay: options.number('retry_backoff_ms'),
    metadataMaxAge: options.number('metadata_max_age_ms'),
    ...(protocol.endsWith('SSL') ? { tls: tlsOf(options) } : {}),
    ...(protocol.startsWith('SASL') ? { sasl: saslOf(options) } : {}),
  };
}

function brokersOf(text: string): { readonly host: string; readonly port: number }[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, host, port] = /^(?:[A-Z_]+:\/\/)?\[?([^\]/]+?)\]?:(\d{1,5})$/.exec(part) ?? [];
      if (host === undefined || port === undefined)
        throw optionError(`[bootstrap_servers] is a list of host:port, but has [${part}]`);
      return { host, port: Number(port) };
    });
}

const MECHANISMS: readonly string[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];

function saslOf(options: PluginOptions): object {
  const mechanism = options.string('sasl_mechanism');
  if (!MECHANISMS.includes(mechanism))
    throw optionError(`[sasl_mechanism => ${mechanism}] is not supported; there are ${MECHANISMS.join(', ')}`);
  const { username, password } = credentials(options);
  return { mechanism, username, password };
}

/** User and password as a login module of Java has them: `… required username="u" password="p";`. */
function credentials(options: PluginOptions): { readonly username: string; readonly password: string } {
  const text = options.has('sasl_jaas_config')
    ? options.string('sasl_jaas_config')
    : options.has('jaas_path')
      ? clientSection(readFileSync(options.string('jaas_path'), 'utf8'))
      : '';
  const username = jaasValue(text, 'username');
  const password = jaasValue(text, 'password');
  if (username === null || password === null)
    throw optionError('[sasl_jaas_config] or [jaas_path] must say username="…" and password="…"');
  return { username, password };
}

/** A file may hold several sections; that of clients is named so. */
function clientSection(text: string): string {
  return /\bKafkaClient\s*\{([^}]*)\}/.exec(text)?.[1] ?? text;
}

function jaasValue(text: string, name: string): string | null {
  const quoted = new RegExp(`\\b${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)'|([^\\s;"']+))`).exec(
    text,
  );
  if (quoted === null) return null;
  return (quoted[1] ?? quoted[2] ?? quoted[3] ?? '').replace(/\\(.)/g, '$1');
}

function tlsOf(options: PluginOptions): object {
  const text = (name: string): string | null => (options.has(name) ? options.string(name) : null);
  const trust = text('ssl_truststore_location');
  const store = text('ssl_keystore_location');
  const passphrase = text('ssl_key_password') ?? text('ssl_keystore_password');
  const algorithm = options.string('ssl_endpoint_identification_algorithm');
  if (algorithm !== '' && algorithm.toLowerCase() !== 'https')
    throw optionError(`[ssl_endpoint_identification_algorithm => ${algorithm}] must be "https" or ""`);
  return {
    rejectUnauthorized: true,
    ...(algorithm === '' ? { checkServerIdentity: () => undefined } : {}),
    ...(trust === null ? {} : { ca: trustedPem(trust, text('ssl_truststore_type')) }),
    ...(store === null ? {} : identity(store, text('ssl_keystore_type'))),
    ...(passphrase === null ? {} : { passphrase }),
  };
}

const PEM = /-----BEGIN /;

/** A trust store of Java or PKCS#12 has no key, and Node.js reads none without. */
function trustedPem(path: string, type: string | null): Buffer {
  const bytes = readFileSync(path);
  if ((type === null || type.toUpperCase() === 'PEM') && PEM.test(bytes.toString('latin1'))) return bytes;
  throw optionError(
    `[ssl_truststore_location => ${path}] must be a PEM file: keytool -exportcert -rfc -alias ALIAS -keystore FILE, or ` +
      'openssl pkcs12 -in FILE -nokeys -out FILE.pem',
  );
}

function identity(path: string, type: string | null): object {
  const bytes = readFileSync(path);
  if (type?.toUpperCase() === 'PEM' || PEM.test(bytes.toString('latin1'))) return { cert: bytes, key: bytes };
  const isJava = bytes.length >= 4 && [0xfeedfeed, 0xcececece].includes(bytes.readUInt32BE(0));
  if (isJava || type?.toUpperCase() === 'JKS')
    throw optionError(
      `[ssl_keystore_location => ${path}] is a Java key store, PKCS#12 or PEM is needed: keytool -importkeystore ` +
        '-srckeystore FILE -destkeystore FILE.p12 -deststoretype PKCS12',
    );
  return { pfx: bytes };
}
