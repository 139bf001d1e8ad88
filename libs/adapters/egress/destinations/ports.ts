/** The first port that a process without administrator rights can open. */
const UNPRIVILEGED = 1024;

/** Common ports of services that are not web servers. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  ...[1080, 3128], // proxies
  ...[1433, 1521, 3050, 3306, 5432, 26257], // SQL databases
  ...[5984, 6379, 6380, 7000, 7001, 7199, 8086, 8529, 9042, 9160, 11211, 26379, 27017, 27018, 27019, 28015, 28017], // other databases and caches
  ...[1113, 2113, 4222, 5671, 5672, 6222, 8222, 9092, 9093, 9094, 15672, 61616], // logs and queues
  ...[9200, 9300], // search
  ...[2181, 2375, 2376, 2377, 2379, 2380, 4646, 6443, 8200, 8300, 8500, 8600, 10250, 10255, 10256], // clusters, containers, secret stores
  ...[1719, 1720, 1723, 5060, 5061], // telephony, tunnels
  ...[2049, 3659, 4045, 4190, 6566, 10080], // files, mail, backups
  ...[3389, 5900, 5985, 5986, 6000], // remote desktops, remote shells
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697], // chat
]);

const WEB: ReadonlySet<number> = new Set([80, 443]);

/**
 * Returns whether a port is allowed: 80, 443, and unprivileged ports that belong to no well-known service.
 */
export const isAllowedPort = (port: number): boolean => WEB.has(port) || (port >= UNPRIVILEGED && !SERVICE_PORTS.has(port));
