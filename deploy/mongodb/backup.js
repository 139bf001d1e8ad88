/* global EJSON, Mongo, print, process */
// Run by mongosh. Prints the documents that cannot be rebuilt from the log, each as a line of Extended JSON. The
// last line has the number of documents. A collection is read before the collections that it refers to, so that
// no reference in the backup is broken.
const COLLECTIONS = [
  ...['gateway_sweeps', 'gateway_refunds', 'gateway_charges', 'gateway_instruments'],
  // The hashes of passwords, sessions, attempts to sign in, and the grants and clients of OAuth. The read models are rebuilt
  // from the log.
  ...[
    'oauth_refresh_uses_v1_1',
    'oauth_artifacts_v1_1',
    'oauth_clients_v1_1',
    'oauth_former_programs_v1_1',
    'sign_in_attempts_v1_1',
    'sessions_v1_1',
    'credentials_v1_1',
  ],
  ...['manage_tokens_v1_1', 'user_lists_v1_1'],
  // Of what operators have decided, which events are skipped. The rest concerns read models, which are rebuilt.
  'operator_state_v1_1',
  // The images of pets. A file refers to its chunks.
  ...['images.files', 'images.chunks'],
  ...['personal_keys', 'service_keys', 'key_seal', 'store'],
];
const HOSTS = ['mongodb-1:27017', 'mongodb-2:27017', 'mongodb-3:27017'];
const user = `petstore:${encodeURIComponent(process.env.PETSTORE_PASSWORD)}`;

const petstore = new Mongo(`mongodb://${user}@${HOSTS.join(',')}/petstore?replicaSet=rs0&readConcernLevel=majority`).getDB('petstore');
const stores = petstore.getCollection('store').countDocuments({});
if (stores === 0) throw new Error('the database has no store: there is nothing to back up');
let documents = 0;
for (const collection of COLLECTIONS) {
  const cursor = petstore.getCollection(collection).find();
  while (cursor.hasNext()) {
    const document = cursor.next();
    if (collection === 'operator_state_v1_1') document.json = JSON.stringify({ skipped: JSON.parse(document.json).skipped });
    print(EJSON.stringify({ collection, document }, { relaxed: false }));
    documents++;
  }
}
print(JSON.stringify({ end: true, documents }));
