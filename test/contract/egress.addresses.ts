/** Forbidden addresses: first, last or well-known addresses of each range, and IPv6 addresses that embed an IPv4 address. */
export const FORBIDDEN_ADDRESSES: readonly string[] = [
  // this network, unspecified
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  // private
  ...[
    '10.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.0',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.1.1',
    '192.168.255.255',
  ],
  // shared by a provider's customers; one is the metadata address of a cloud
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  // loopback
  ...['127.0.0.0', '127.0.0.1', '127.0.0.53', '127.255.255.255'],
  // link-local; includes the metadata addresses of most clouds
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  // a cloud's own service
  '168.63.129.16',
  // protocol assignments (one is a cloud's metadata address); documentation; relays; nameservers for private addresses;
  // benchmarks
  ...[
    '192.0.0.0',
    '192.0.0.192',
    '192.0.0.255',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.255',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
  ],
  ...['192.175.48.1', '198.18.0.0', '198.19.255.255'],
  // multicast, reserved, broadcast
  ...['224.0.0.0', '224.0.0.1', '239.255.255.255', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  // unspecified, loopback
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001'],
  // unique local (two are metadata addresses of clouds), link-local, site-local, multicast
  ...['fc00::', 'fd00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::', 'fe80::1', 'febf::1'],
  ...['fec0::1', 'feff::1', 'ff00::', 'ff02::1', 'ff0e::1'],
  // documentation, discard, segment routing, never allocated
  ...[
    '2001:db8::1',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff::1',
    '3fff:fff::1',
    '100::1',
    '5f00::1',
    '4000::1',
    '1fff::1',
    '3ffe::1',
  ],
  '2620:4f:8000::1',
  // protocol assignments: benchmarks, hashes for addresses, anycast
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:1::1', '2001:1ff::1'],
  // IPv4 within IPv6: mapped, compatible, translated, 6to4, Teredo, ISATAP; an embedded public address is
  // forbidden, too
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:7f00:1'],
  ...['::ffff:0:127.0.0.1', '::127.0.0.1', '::7f00:1', '::169.254.169.254', '::8.8.8.8'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::8.8.8.8', '64:ff9b:1::10.0.0.1', '64:ff9b:1:ffff:ffff:ffff:a9fe:a9fe'],
  ...['2002::', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ...[
    '2a00:1450:4001:82a:0:5efe:7f00:1',
    '2a00:1450:4001:82a::5efe:10.0.0.1',
    '2a00:1450:4001:82a:200:5efe:c0a8:101',
    '2a00::5efe:a9fe:a9fe',
  ],
];

/**
 * Forbidden addresses in unusual notations. URL parsers or the C library accept some of these. Also names of forbidden addresses.
 */
export const FORBIDDEN_HOSTS: readonly string[] = [
  // one number, short, octal, hexadecimal, mixed, padded, with a dot at the end
  ...['2130706433', '0x7f000001', '017700000001', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7F.1', '0x7f.0x0.0x0.0x1'],
  ...['127.0.0.1.', '127.0.0.01', '0', '0.', '0x', '00000000177.1', '2852039166', '0xa9fea9fe', '0xA9.254.0251.0xfe', '10.1'],
  ...['192.168.257', '172.1048577', '3232235777', '0300.0250.1', '4294967295', '0xffffffff', '100.6447304'],
  // numbers that are too large or malformed
  ...['256.0.0.1', '127.0.0.0.1', '4294967296', '127.0.0.256', '0x100000000', '09.0.0.1', '1.2.3.08'],
  // letters that are normalized to digits and dots, escapes
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '127%2E0%2E0%2E1',
    '%31%32%37.0.0.1',
    '１２７．１',
    '%30',
    '0x７f.1',
    '169．254．169．254',
  ],
  // zones, unfinished brackets, IPvFuture
  ...['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%25lo]', '[::1', '::1', '[v1.fe80::a]', '[::1]x', '[]', '[127.0.0.1]', '[::ffff:0x7f.1]'],
  // names of this machine, of a network, of a cluster, and without a dot
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'local%68ost',
    'localhost.localdomain',
    'printer.local',
  ],
  ...[
    'metadata.google.internal',
    'metadata.google.internal.',
    'db.intranet',
    'nas.lan',
    'router.home.arpa',
    'wiki.corp',
    'a.private',
    'tv.home',
  ],
  ...['kubernetes.default.svc.cluster.local', 'instance-data', 'mongodb', 'a.onion', '.', '...'],
];

/** URLs that are forbidden for another reason than a forbidden host. */
export const FORBIDDEN_URLS: readonly string[] = [
  ...['', ' ', 'hooks.example.com', '//hooks.example.com', '/events', 'https:', 'https://', 'http://:80', 'https://hooks.example.com:port'],
  ...[
    'ftp://hooks.example.com',
    'file:///etc/passwd',
    'gopher://hooks.example.com',
    'data:,x',
    'javascript:alert(1)',
    'ws://hooks.example.com',
  ],
  ...['unix:///run/docker.sock', 'blob:https://hooks.example.com/1', 'http+unix://%2Frun%2Fdocker.sock/'],
  ...['https://user@hooks.example.com', 'https://user:secret@hooks.example.com', 'https://:secret@hooks.example.com'],
  ...[
    'http://127.0.0.1#@hooks.example.com',
    'http://127.0.0.1\\@hooks.example.com',
    'http://hooks.example.com@127.0.0.1',
    'http://127.0.0.1/?@x',
  ],
  ...['http:\\\\127.0.0.1', 'http:/127.0.0.1', 'http:127.0.0.1', 'HTTP://127.0.0.1', 'http:///127.0.0.1', 'https:////127.0.0.1'],
  ...[
    ' http://hooks.example.com',
    'http://hooks.example.com ',
    'http://hooks.exa\tmple.com',
    'ht\ntp://hooks.example.com',
    'http://hooks.example.com/\r\nx: y',
  ],
  ...[
    'http://hooks\u00ad.example.com',
    'http://hooks.example.com/\u200b',
    'http://hooks.example.com\u3000',
    'http://\u0000hooks.example.com',
  ],
  ...[22, 25, 21, 53, 110, 445, 0, 1, 1023, 2049, 2375, 3306, 5432, 6379, 9092, 9200, 11211, 27017, 65536].map(
    (port) => `http://hooks.example.com:${port}`,
  ),
];

/** Public addresses: well-known ones, and those next to the forbidden ranges. */
export const ALLOWED_ADDRESSES: readonly string[] = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '168.63.129.17'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '198.51.101.0', '203.0.112.255', '203.0.114.7', '223.255.255.255'],
  ...[
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
    '2a00:1450:4001:82a::200e',
  ],
  ...['2a00:1450:4001:82a::5eff:7f00:1', '3ffd::1', '2620:4f:7fff::1'],
];
