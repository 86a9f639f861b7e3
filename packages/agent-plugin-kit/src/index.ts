export { decodeUnit } from './codec-parts/decode-unit.ts';
export { encodeAll } from './codec-parts/encode-all.ts';
export { failedEvent, JSON_FAILURE, jsonEvents, jsonEventsInSteps, targetedEvent } from './codec-parts/json-events.ts';
export { keepOriginal, textEvent } from './codec-parts/original-text.ts';
export { IdleFlush, streamDecoder } from './codec-parts/stream-decoder.ts';
export { EVENT_TEXT, textFormat } from './codec-parts/text-format.ts';
export { createAll, flattenErrors } from './contract/create-all.ts';
export type { ListedPlugin } from './contract/listed-plugin.ts';
export type {
  Codec,
  DeadLetterSink,
  Decoder,
  EventSink,
  Filter,
  FilterOutcome,
  Input,
  InputDefinition,
  OptionDeclaration,
  OptionDeclarations,
  OptionType,
  Output,
  PipelineBus,
  PluginContext,
  PluginDefinition,
  PluginKind,
  PluginMetrics,
  PluginOptions,
  StreamPeer,
} from './contract/plugin-definition.ts';
export { SharedInstances } from './contract/shared-instances.ts';
export { type CsvConversion, csvConversions } from './csv/csv-conversions.ts';
export { csvRecords, readCsvRecord } from './csv/csv-record.ts';
export { type CsvDialect, csvRowText } from './csv/csv-rows.ts';
export { compileFieldName, type FieldName, fieldBelow } from './fields/field-name.ts';
export { mergeIntoRoot } from './fields/merge-into-root.ts';
export { addHost, putMetadata, putMissing } from './fields/origin-fields.ts';
export { noteRootTarget } from './fields/root-target-notice.ts';
export { expandGlob } from './globs/file-glob.ts';
export { GLOB_CHARACTERS, nameMatcher } from './globs/glob-pattern.ts';
export { createGrokTrial, type GrokTrial, type GrokTrialOptions, type GrokTrialResult } from './grok/grok-trial.ts';
export {
  basicAuthorization,
  type HttpAnswer,
  type HttpBodySource,
  type HttpCall,
  HttpClient,
  type HttpClientOptions,
  type HttpStream,
} from './http-client/http-client.ts';
export { httpClient, httpClientOptions, userAuthorization } from './http-client/http-client-options.ts';
export { parseProxy } from './http-client/http-proxy.ts';
export { decodedPiece, decodedWhole } from './network/decoded-bytes.ts';
export { Listener, publishPort } from './network/listener.ts';
export { ProxyHeaderReader } from './network/proxy-header.ts';
export { type ReceivedShare, receivedMemory } from './network/received-memory.ts';
export { socketInput } from './network/socket-input.ts';
export { StreamSender } from './network/stream-sender.ts';
export { optionError } from './options/option-error.ts';
export { parseBytes, parseDuration } from './options/option-units.ts';
export { loadOptionalPackage, type OptionalPackage } from './options/optional-package.ts';
export { refusedOptions } from './options/refused-options.ts';
export { decodedParts, decodeInTurns, shortPieces } from './retry/decode-in-turns.ts';
export { InputTurns, inputWorkMs } from './retry/input-turns.ts';
export { OrderedPushes } from './retry/ordered-pushes.ts';
export { producingInput } from './retry/producing-input.ts';
export { type LoopControl, StoppableWait } from './retry/stoppable-wait.ts';
export { asBuffer, type Charset, charsetNamed, isUtf8 } from './text/charset.ts';
export { DelimiterSplitter, delimiterBytes } from './text/delimiter-splitter.ts';
export { randomUuidText } from './text/random-uuid-text.ts';
export { rubySplit } from './text/ruby-split.ts';
export { rubyFloatText, rubyInspect, rubyJoin, rubyText } from './text/ruby-text.ts';
export { SYSLOG_FACILITIES, SYSLOG_SEVERITIES } from './text/syslog-names.ts';
export { clientTls, clientTlsOptions, isTlsEnabled, serverTls, serverTlsOptions } from './tls/tls-options.ts';
export { verifiedPeer } from './tls/tls-peer.ts';
export { type FingerprintTrust, parseFingerprint } from './tls/trusted-fingerprint.ts';
export { warnOfUnusedTls } from './tls/unused-tls.ts';
export {
  BUNDLED_RULES,
  type UserAgent,
  UserAgentParser,
  type UserAgentRules,
} from './user-agents/user-agent-parser.ts';
export { browserVersion, systemVersion } from './user-agents/user-agent-versions.ts';
