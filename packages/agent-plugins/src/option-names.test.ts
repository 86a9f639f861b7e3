import { declaredOptions } from '@shoal/agent-config';
import type { ListedPlugin, PluginDefinition } from '@shoal/agent-plugin-kit';
import { expect, test } from 'vitest';
import { codecPlugins } from './codecs/codec-list.ts';
import { filterPlugins } from './filters/filter-list.ts';
import { inputPlugins } from './inputs/input-list.ts';
import { outputPlugins } from './outputs/output-list.ts';

const TLS =
  'ssl_enabled ssl_certificate ssl_key ssl_key_passphrase ssl_certificate_authorities ssl_supported_protocols';
const TLS_CLIENT = `${TLS} ssl_cipher_suites ssl_verification_mode`;
const TLS_SERVER = `${TLS} ssl_cipher_suites ssl_client_authentication`;
const HTTP = `user password request_timeout socket_timeout connect_timeout automatic_retries keepalive pool_max
  pool_max_per_route follow_redirects retry_non_idempotent validate_after_inactivity cookies ${TLS_CLIENT}`;
const KAFKA = `bootstrap_servers client_dns_lookup connections_max_idle_ms jaas_path metadata_max_age_ms receive_buffer_bytes
  reconnect_backoff_ms request_timeout_ms retry_backoff_ms sasl_jaas_config sasl_mechanism security_protocol send_buffer_bytes
  ssl_endpoint_identification_algorithm ssl_key_password ssl_keystore_location ssl_keystore_password ssl_keystore_type
  ssl_truststore_location ssl_truststore_password ssl_truststore_type client_id`;
const RABBITMQ = `host port user password vhost ssl ssl_version ssl_certificate_path ssl_certificate_password automatic_recovery
  connect_retry_interval connection_timeout heartbeat passive arguments`;
const DATABASE = `jdbc_driver_library jdbc_driver_class jdbc_connection_string jdbc_user jdbc_password`;
const JDBC = `${DATABASE} jdbc_validate_connection jdbc_validation_timeout sequel_opts statement parameters use_prepared_statements
  prepared_statement_name prepared_statement_bind_values`;
const AWS = 'region access_key_id secret_access_key session_token aws_credentials_file endpoint proxy_uri';

/** What configurations written for Logstash may say to each plugin. */
const NAMES: Readonly<Record<string, string>> = {
  'filter age': 'target',
  'filter alter': 'condrewrite condrewriteother coalesce',
  'filter anonymize': 'fields key algorithm',
  'filter checksum': 'keys algorithm',
  'filter environment': 'add_metadata_from_env',
  'filter extractnumbers': 'source',
  'filter i18n': 'transliterate',
  'filter json_encode': 'source target',
  'filter math': 'calculate',
  'filter metricize': 'metrics metric_field_name value_field_name drop_original_event',
  'filter punct': 'source target',
  'filter unique': 'fields',
  'filter range': 'ranges negate',
  'filter yaml': 'source target',
  'filter aggregate': `task_id code map_action end_of_task timeout inactivity_timeout push_map_as_event_on_timeout
    push_previous_map_as_event timeout_code timeout_tags timeout_task_id_field timeout_timestamp_field aggregate_maps_path
    map_count_warning_threshold`,
  'filter bytes': 'source target prefix_system digit_group_separator decimal_separator tag_on_failure',
  'filter cidr': 'address network network_path separator refresh_interval',
  'filter cipher':
    'source target mode algorithm key key_size key_pad iv_random_length cipher_padding base64 max_cipher_reuse',
  'filter clone': 'clones',
  'filter csv': `source separator quote_char columns autogenerate_column_names autodetect_column_names skip_header
    skip_empty_columns skip_empty_rows convert target`,
  'filter date': 'match target timezone locale tag_on_failure',
  'filter de_dot': 'separator nested recursive fields',
  'filter dissect': 'mapping convert_datatype tag_on_failure',
  'filter dns': `resolve reverse action nameserver hostsfile timeout max_retries hit_cache_size hit_cache_ttl
    failed_cache_size failed_cache_ttl tag_on_timeout`,
  'filter drop': 'percentage',
  'filter elapsed': 'start_tag end_tag unique_id_field timeout new_event_on_match keep_start_event',
  'filter elasticsearch': `hosts index query query_template sort enable_sort result_size fields docinfo_fields
    aggregation_fields target retry_on_failure retry_on_status tag_on_failure custom_headers user password api_key cloud_id
    cloud_auth ${TLS_CLIENT}`,
  'filter fingerprint': 'method source target key base64encode concatenate_sources concatenate_all_fields',
  'filter geoip': 'source database default_database_type fields target cache_size tag_on_failure',
  'filter grok': `match patterns_dir patterns_files_glob pattern_definitions break_on_match named_captures_only
    keep_empty_captures overwrite target timeout_millis timeout_scope tag_on_failure tag_on_timeout`,
  'filter http': `url verb headers query body body_format target_body target_headers tag_on_request_failure tag_on_json_failure ${HTTP}`,
  'filter javascript': 'code path init script_params',
  'filter jdbc_static': `loaders local_db_objects local_lookups loader_schedule tag_on_failure tag_on_default_use staging_directory
    ${DATABASE}`,
  'filter jdbc_streaming': `target default_hash tag_on_failure tag_on_default_use use_cache cache_expiration cache_size
    prepared_statement_warn_on_constant_usage ${JDBC}`,
  'filter json': 'source target skip_on_invalid_json tag_on_failure',
  'filter kv': `source target prefix field_split value_split field_split_pattern value_split_pattern include_keys
    exclude_keys default_keys allow_duplicate_values allow_empty_values include_brackets recursive trim_key trim_value
    remove_char_key remove_char_value transform_key transform_value whitespace timeout_millis`,
  'filter memcached': 'hosts namespace get set ttl tag_on_failure lru_cache_ttl lru_cache_max_size',
  'filter metrics': 'meter timer rates percentiles flush_interval clear_interval ignore_older_than',
  'filter mutate': `coerce rename update replace convert gsub uppercase capitalize lowercase strip split join merge copy
    tag_on_failure`,
  'filter prune': 'whitelist_names blacklist_names whitelist_values blacklist_values interpolate',
  'filter ruby': 'code path init script_params tag_on_exception tag_with_exception_message',
  'filter sleep': 'time every replay',
  'filter split': 'field terminator target',
  'filter syslog_pri': 'use_labels facility_labels severity_labels syslog_pri_field_name',
  'filter throttle': 'key before_count after_count period max_age max_counters',
  'filter tld': 'source target',
  'filter translate': `source target dictionary dictionary_path exact regex fallback override iterate_on refresh_interval
    refresh_behaviour field destination`,
  'filter truncate': 'length_bytes fields',
  'filter urldecode': 'field all_fields charset tag_on_failure',
  'filter useragent': 'source target prefix regexes lru_cache_size',
  'filter uuid': 'target overwrite',
  'filter xml': `source target store_xml xpath force_array force_content namespaces remove_namespaces suppress_empty
    parse_options`,
  'input beats': `port host client_inactivity_timeout include_codec_tag enrich add_hostname ssl_handshake_timeout
    ${TLS_SERVER}`,
  'input dead_letter_queue': 'path pipeline_id commit_offsets sincedb_path start_timestamp clean_consumed',
  'input elasticsearch': `hosts index query size scroll search_api slices docinfo docinfo_target docinfo_fields schedule
    response_type retries target tracking_field user password api_key cloud_id cloud_auth ${TLS_CLIENT}`,
  'input couchdb_changes': `db host port secure ca_file username password heartbeat sincedb_path initial_sequence keep_id
    keep_revision ignore_attachments always_reconnect reconnect_delay timeout`,
  'input elastic_serverless_forwarder': `host port auth_basic_username auth_basic_password ssl_verification_mode
    ssl_handshake_timeout ${TLS_SERVER}`,
  'input exec': 'command interval schedule',
  'input file': `path exclude mode start_position sincedb_path sincedb_write_interval sincedb_clean_after stat_interval
    discover_interval delimiter close_older ignore_older max_open_files file_chunk_size file_chunk_count file_sort_by
    file_sort_direction exit_after_read file_completed_action file_completed_log_path check_archive_validity`,
  'input gelf': 'host port port_tcp port_udp receive_buffer_bytes remap strip_leading_underscore use_tcp use_udp',
  'input generator': 'count message lines threads',
  'input graphite': `port host mode proxy_protocol tcp_keep_alive ${TLS_SERVER}`,
  'input heartbeat': 'interval count message sequence threads',
  'input http': `port host user password additional_codecs response_code response_headers max_content_length
    max_pending_requests threads remote_host_target_field request_headers_target_field ${TLS_SERVER}`,
  'input http_poller': `urls schedule metadata_target target ${HTTP}`,
  'input jdbc': `jdbc_password_filepath jdbc_paging_enabled jdbc_paging_mode jdbc_page_size jdbc_fetch_size jdbc_pool_timeout
    jdbc_default_timezone plugin_timezone sql_log_level connection_retry_attempts connection_retry_attempts_wait_time
    statement_retry_attempts statement_retry_attempts_wait_time statement_filepath schedule last_run_metadata_path
    use_column_value tracking_column tracking_column_type clean_run record_last_run lowercase_column_names charset
    columns_charset target ${JDBC}`,
  'input kafka': `auto_commit_interval_ms auto_create_topics auto_offset_reset check_crcs client_rack consumer_threads
    decorate_events enable_auto_commit exclude_internal_topics fetch_max_bytes fetch_max_wait_ms fetch_min_bytes group_id
    group_instance_id heartbeat_interval_ms isolation_level key_deserializer_class max_partition_fetch_bytes
    max_poll_interval_ms max_poll_records partition_assignment_strategy poll_timeout_ms session_timeout_ms topics
    topics_pattern value_deserializer_class ${KAFKA}`,
  'input logstash': `host port username password ssl_keystore_path ssl_keystore_password ssl_handshake_timeout ${TLS_SERVER}`,
  'input pipe': 'command',
  'input pipeline': 'address',
  'input rabbitmq': `queue durable auto_delete exclusive prefetch_count ack exchange exchange_type key
    subscription_retry_interval_seconds metadata_enabled threads ${RABBITMQ}`,
  'input redis': 'host port path ssl db timeout password key data_type batch_count threads command_map',
  'input s3': `bucket additional_settings prefix sincedb_path backup_to_bucket backup_add_prefix backup_to_dir delete interval
    watch_for_new_files exclude_pattern temporary_directory include_object_properties gzip_pattern cutoff_second ${AWS}`,
  'input sqs': `queue queue_owner_aws_account_id id_field md5_field sent_timestamp_field polling_frequency threads ${AWS}`,
  'input stdin': '',
  'input syslog': `port host grok_pattern timezone locale use_labels facility_labels severity_labels syslog_field
    proxy_protocol`,
  'input tcp': `port host mode dns_reverse_lookup_enabled proxy_protocol tcp_keep_alive ${TLS_SERVER} ${TLS_CLIENT}`,
  'input udp': 'port host buffer_size workers queue_size receive_buffer_bytes source_ip_fieldname',
  'input unix': 'data_timeout force_unlink mode path socket_not_present_retry_interval_seconds',
  'output elasticsearch': `hosts index action document_id routing pipeline version version_type doc_as_upsert upsert script
    script_type script_lang script_var_name scripted_upsert retry_on_conflict data_stream data_stream_type
    data_stream_dataset data_stream_namespace data_stream_auto_routing data_stream_sync_fields manage_template template
    template_name template_overwrite template_api ilm_enabled ilm_rollover_alias ilm_pattern ilm_policy
    retry_initial_interval retry_max_interval timeout pool_max pool_max_per_route resurrect_delay
    validate_after_inactivity sniffing sniffing_delay sniffing_path http_compression compression_level bulk_path
    parameters custom_headers dlq_custom_codes dlq_on_failed_indexname_interpolation silence_errors_in_log user password
    api_key cloud_id cloud_auth ${TLS_CLIENT}`,
  'output email': `to from subject body htmlbody cc bcc replyto via address port username password use_tls authentication
    contenttype attachments template_file`,
  'output csv': `fields csv_options spreadsheet_safe
    path flush_interval gzip create_if_deleted dir_mode file_mode write_behavior stale_cleanup_interval
    filename_failure`,
  'output exec': 'command quiet',
  'output file': `path flush_interval gzip create_if_deleted dir_mode file_mode write_behavior stale_cleanup_interval
    filename_failure`,
  'output graphite': `host port reconnect_interval resend_on_failure nested_object_separator timestamp_field
    metrics fields_are_metrics include_metrics exclude_metrics metrics_format`,
  'output http': `url http_method format mapping message headers content_type retry_failed retryable_codes ignorable_codes
    http_compression ${HTTP}`,
  'output kafka': `acks batch_size buffer_memory compression_type key_serializer linger_ms max_request_size message_headers
    message_key metadata_fetch_timeout_ms partitioner retries topic_id value_serializer ${KAFKA}`,
  'output logstash': `hosts username ${HTTP}`,
  'output nagios': 'commandfile nagios_level',
  'output null': '',
  'output pipe': 'command message_format ttl',
  'output pipeline': 'send_to ensure_delivery',
  'output rabbitmq': `exchange exchange_type key durable persistent message_properties ${RABBITMQ}`,
  'output redis': `host shuffle_hosts port db timeout password key data_type batch batch_events batch_timeout
    reconnect_interval congestion_threshold congestion_interval`,
  'output s3': `bucket additional_settings prefix size_file time_file rotation_strategy restore temporary_directory encoding tags
    canned_acl server_side_encryption server_side_encryption_algorithm ssekms_key_id storage_class signature_version
    upload_workers_count upload_queue_size upload_multipart_threshold validate_credentials_on_root_bucket retry_count
    retry_delay ${AWS}`,
  'output sns': `arn publish_boot_message_arn ${AWS}`,
  'output sqs': `queue queue_owner_aws_account_id batch batch_events batch_timeout message_max_size ${AWS}`,
  'output statsd':
    'host port protocol namespace sender increment decrement count timing set gauge sample_rate batch_size',
  'output stdout': '',
  'output syslog': `host port reconnect_interval protocol rfc use_labels priority facility severity sourcehost appname procid
    msgid message structured_data ssl_verify ssl_certificate ssl_key ssl_key_passphrase ssl_certificate_authorities
    ssl_supported_protocols ssl_cipher_suites`,
  'output tcp': `host port mode reconnect_interval ${TLS_SERVER} ${TLS_CLIENT}`,
  'output udp': 'host port retry_count retry_backoff_ms',
  'codec csv': `columns separator quote_char include_headers autodetect_column_names autogenerate_column_names convert
    skip_empty_columns charset`,
  'codec avro': 'schema_uri encoding tag_on_failure target',
  'codec cef': `vendor product version signature name severity fields reverse_mapping delimiter default_timezone locale
    raw_data_field device`,
  'codec dots': '',
  'codec es_bulk': 'target',
  'codec cloudfront': 'charset',
  'codec cloudtrail': 'charset',
  'codec collectd': 'typesdb prune_intervals security_level authfile nan_handling nan_value nan_tag',
  'codec edn': 'target',
  'codec edn_lines': 'target',
  'codec fluent': 'nanosecond_precision target',
  'codec graphite': 'metrics fields_are_metrics include_metrics exclude_metrics metrics_format as_key_value',
  'codec gzip_lines': 'charset',
  'codec json': 'charset target',
  'codec json_lines': 'charset delimiter decode_size_limit_bytes target',
  'codec line': 'charset delimiter format',
  'codec msgpack': 'format target',
  'codec multiline': `pattern what negate patterns_dir max_lines max_bytes auto_flush_interval multiline_tag charset`,
  'codec netflow': `cache_ttl cache_save_path target include_flowset_id versions netflow_definitions ipfix_definitions`,
  'codec plain': 'charset format',
  'codec rubydebug': 'metadata',
};

const listed: readonly ListedPlugin[] = [...inputPlugins, ...filterPlugins, ...outputPlugins];
const all: readonly PluginDefinition[] = [
  ...(await Promise.all(listed.map((plugin) => plugin.load()))),
  ...codecPlugins,
];

test('every plugin stands in the table', () => {
  const names = all.map(({ kind, name }) => `${kind} ${name}`);
  expect(Object.keys(NAMES).filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => !(name in NAMES))).toEqual([]);
});

test('and takes every option of it', () => {
  const missing: string[] = [];
  for (const definition of all) {
    const declared = declaredOptions(definition.kind, definition.options);
    const wanted = (NAMES[`${definition.kind} ${definition.name}`] ?? '').split(/\s+/).filter((name) => name !== '');
    for (const name of [...wanted, 'id', 'enable_metric', 'ecs_compatibility']) {
      const option = declared[name];
      const isTaken = option !== undefined && option.obsolete === undefined;
      if (!isTaken) missing.push(`${definition.kind} ${definition.name}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
});
