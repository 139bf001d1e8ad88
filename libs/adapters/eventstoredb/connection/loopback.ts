/** The loopback addresses, in the form of the list `no_grpc_proxy`, whose entries are ranges or the ends of names. */
const LOOPBACK = ['127.0.0.0/8', 'localhost'];

/**
 * Makes gRPC reach a server on this machine without a proxy. gRPC applies `http_proxy` to each address, and a proxy cannot reach
 * this machine. gRPC has no option for that in the client, and reads the variable at each connection.
 */
export const reachLoopbackDirectly = (): void => {
  const { no_grpc_proxy: forGrpc, no_proxy: forAll } = process.env;
  // If `no_grpc_proxy` is set, gRPC ignores `no_proxy`.
  const listed = (forGrpc || forAll || '').split(',').filter(Boolean);
  process.env['no_grpc_proxy'] = [...new Set([...listed, ...LOOPBACK])].join(',');
};
