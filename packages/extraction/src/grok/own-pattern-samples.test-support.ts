/**
 * Texts for patterns that come without one: each is matched whole by the pattern of its name in the set of ECS.
 */
const HTTPD =
  '192.0.2.1 joe ann [17/May/2015:10:05:03 +0000] "GET /a.png?b HTTP/1.1" 200 203 "http://x.org/" "Mozilla/5.0 (X11)"';
const HTTPD24 =
  '[Mon Aug 31 09:30:48.958285 2026] [proxy_fcgi:error] [pid 28787:tid 169] (70008)Partial results are valid but processing is incomplete: [client 192.0.2.7:50000] AH01075: Error dispatching request';
const BIND9 =
  'client @0x7f64500a6e50 192.0.2.5#59282 (shop.example.com): query: shop.example.com IN AAAA +E(0)K (192.0.2.53)';
const EXIM =
  '2026-02-03 10:11:12 [4321] 1a2B3c-4D5e6F-7G <= ann@example.com H=mail.example.com (relay) [192.0.2.9]:2525 I=[192.0.2.1]:25 P=esmtps S=2048 id=x1@example.com T="Hello" for bob@example.org';
const IPTABLES =
  'IN=eth0 OUT= MAC=00:1a:2b:3c:4d:5e:00:aa:bb:cc:dd:ee:08:00 SRC=192.0.2.7 DST=192.0.2.8 LEN=40 TOS=0x00 PREC=0x00 TTL=64 ID=312 DF PROTO=TCP SPT=5000 DPT=80 WINDOW=1024 RES=0x00 SYN ';
const RAILS =
  'Started GET "/users?a=b" for 192.0.2.3 at 2026-03-04 05:06:07 +0200\nProcessing by UsersController#index as HTML\n  Parameters: {"a"=>"b"}\nCompleted 200 OK in 12.5ms (Views: 8.1ms | ActiveRecord: 2.2ms)';
const TX_HOSTS = '192.0.2.1,192.0.2.2';
const ELB_LINE = 'GET http://www.example.com:80/a/b?c=d HTTP/1.1';
const ELB = `2026-02-03T04:05:06.789012Z my-lb 192.0.2.1:2817 192.0.2.2:80 0.000073 0.001048 0.000057 200 200 0 29 "${ELB_LINE}" "curl/7.38.0" - -`;
const SLOW =
  'query shop.orders query: { a: 1 } ntoreturn:10 ntoskip:0 nscanned:500 keyUpdates:0 nreturned:5 reslen:99 250ms';

export const OWN_PATTERN_SAMPLES: Readonly<Record<string, string>> = {
  S3_ACCESS_LOG:
    'owner1 my-bucket [06/Feb/2026:00:00:38 +0000] 192.0.2.3 user1 3E57427F REST.GET.OBJECT a/b.jpg "GET /a/b.jpg HTTP/1.1" 200 - 113 2270 7 6 "http://x.org/" "S3Console/0.4" v1',
  ELB_URIHOST: 'www.example.com:80',
  ELB_URIPATHQUERY: '/a/b?c=d',
  ELB_URIPATHPARAM: '/a/b?c=d',
  ELB_URI: 'http://www.example.com:80/a/b?c=d',
  ELB_REQUEST_LINE: ELB_LINE,
  ELB_V1_HTTP_LOG: ELB,
  ELB_ACCESS_LOG: ELB,
  URIQUERY: 'a=b&c=<d>',
  CLOUDFRONT_EDGE_LOCATION: 'SFO5-P1',
  CLOUDFRONT_ACCESS_LOG: [
    ['2026-05-23', '01:13:11', 'FRA2', '182', '192.0.2.10', 'GET', 'x.cloudfront.net', '/view/my/file.html', '200'],
    ['www.site.com', 'Mozilla/4.0', '-', 'zip=98101', 'RefreshHit', 'MRVMF7Kydv', 'x.cloudfront.net', 'http', '-'],
    ['0.001', '-', '-', '-', 'RefreshHit'],
  ]
    .flat()
    .join('\t'),
  BACULA_LOG_JOBEND: 'Job write elapsed time = 00:00:12, Transfer rate = 9.1 M Bytes/second',
  BACULA_LOG: '11-Oct 22:14 server01 JobId 7: No Files found to prune.',
  BACULA_LOGLINE: '11-Oct 22:14 server01 JobId 7: No Files found to prune.',
  BIND9_QUERYLOGBASE: BIND9,
  BIND9_QUERYLOG: `17-Feb-2026 23:06:56.326 queries: info: ${BIND9}`,
  BIND9: `17-Feb-2026 23:06:56.326 queries: info: ${BIND9}`,
  EXIM_MESSAGE_ARRIVAL: EXIM,
  EXIM,
  NETSCREENSESSIONLOG:
    'Jun  2 14:53:31 fw01 isg1000: NetScreen device_id=isg1000 [Root]system-notification-00257(traffic): start_time="2026-06-02 14:53:30" duration=1 policy_id=48 service=tcp proto=6 src zone=Trust dst zone=Untrust action=Permit sent=74 rcvd=60 src=192.0.2.1 dst=192.0.2.2 src_port=100 dst_port=200',
  CISCOFW106023: 'Deny tcp src inside:192.0.2.1/5000 dst outside:192.0.2.2/80 by access-group "acl_in" [0x0, 0x1]',
  CISCOFW106100_2_3:
    "access-list acl_in denied udp for user 'ann' inside/192.0.2.1(5000) -> outside/192.0.2.2(53) hit-cnt 3 first hit [0x1, 0x2]",
  CISCOFW106100:
    'access-list acl_in permitted tcp inside/192.0.2.1(5000) -> outside/192.0.2.2(80) hit-cnt 1 300-second interval [0x1, 0x2]',
  CISCOFW302013_302014_302015_302016:
    'Teardown TCP connection 447234 for outside:192.0.2.12/53 to inside:192.0.2.69/55555 duration 0:00:30 bytes 104 TCP FINs',
  CISCOFW713172:
    'Group = g1, IP = 192.0.2.1, Automatic NAT Detection Status: Remote end is NOT behind a NAT device This end is behind a NAT device',
  IPTABLES,
  SHOREWALL: `May 28 17:23:25 myHost kernel: [3124658.791874] Shorewall:FORWARD:REJECT:${IPTABLES}`,
  SFW2: `Jan 29 10:00:01 myHost kernel: SFW2-INext-DROP ${IPTABLES}`,
  EMAILLOCALPART: 'ann.b+c',
  EMAILADDRESS: 'ann.b+c@example.com',
  HTTPDUSER: 'ann@example.com',
  HTTPD_COMMONLOG: '192.0.2.1 - ann [17/May/2015:10:05:03 +0000] "GET /a.png HTTP/1.1" 200 -',
  HTTPD_COMBINEDLOG: HTTPD,
  HTTPD24_ERRORLOG: HTTPD24,
  HTTPD_ERRORLOG: HTTPD24,
  RT_FLOW_EVENT: 'RT_FLOW_TAG',
  MONGO_QUERY: '{ a: 1 } ntoreturn:',
  MONGO_SLOWQUERY: SLOW,
  NAGIOSLOGLINE: '[1427925600] SERVICE ALERT: host1;HTTP;CRITICAL;SOFT;2;timed out',
  POSTGRESQL: '03-04-2026 05:06:07 EST ann 5a3d.1 4242',
  RUUID: '0123456789abcdef0123456789abcdef',
  RCONTROLLER: 'UsersController#index',
  RPROCESSING: 'Processing by UsersController#index as HTML',
  RAILS3FOOT: 'Completed 200 OK in 12.5ms (Views: 8.1ms | ActiveRecord: 2.2ms)',
  RAILS3PROFILE: '(Views: 8.1ms | ActiveRecord: 2.2ms',
  RAILS3: RAILS,
  ZEEK_FILES_TX_HOSTS: TX_HOSTS,
  ZEEK_FILES_RX_HOSTS: TX_HOSTS,
  ZEEK_FILES: [
    ['1.2', 'F1', '192.0.2.1', '192.0.2.2', 'C1', 'HTTP', '0', 'MD5', 'text/html', 'a.html', '0.5', '-', 'F'],
    ['1024', '2048', '0', '0', 'F', '-', 'aa', 'bb', 'cc', '-'],
  ]
    .flat()
    .join('\t'),
};
