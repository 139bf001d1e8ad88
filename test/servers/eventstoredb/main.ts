import { startProtocolServer } from './protocol-server.js';

const [folder, port] = process.argv.slice(2);
if (folder === undefined || port === undefined) throw new Error('usage: main.js <folder> <port>');

const server = await startProtocolServer(folder, Number(port));
console.log(server.url);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
