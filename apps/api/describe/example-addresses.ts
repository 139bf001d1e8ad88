/** The start of each address of this service in the examples of operations and messages. */
const EXAMPLE_ADDRESS = 'https://pets.example.com/v1/';

/** Returns a document whose examples have the addresses of the service at `publicUrl` (contract 1.5). */
export const withAddresses = (document: object, publicUrl: string): object =>
  JSON.parse(JSON.stringify(document).replaceAll(EXAMPLE_ADDRESS, `${publicUrl}/v1/`)) as object;
