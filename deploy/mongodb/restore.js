/* global EJSON, Mongo, print, process */
// Run by mongosh. Reads the lines of backup.js from standard input, and writes them to an empty database.
const { readSync } = process.getBuiltinModule('fs');

const HOSTS = ['mongodb-1:27017', 'mongodb-2:27017', 'mongodb-3:27017'];
const BATCH = 1000;
/** Characters of a batch. A chunk of an image has 350,000. */
const BATCH_SIZE = 8_000_000;
const user = `petstore:${encodeURIComponent(process.env.PETSTORE_PASSWORD)}`;
const petstore = new Mongo(`mongodb://${user}@${HOSTS.join(',')}/petstore?replicaSet=rs0&w=majority`).getDB('petstore');

const existing = petstore.getCollectionNames();
if (existing.length > 0) throw new Error(`the database is not empty: it has ${existing.join(', ')}`);

let [batch, size, ofCollection, written, expected] = [[], 0, '', 0, -1];
const flush = () => {
  if (batch.length > 0) petstore.getCollection(ofCollection).insertMany(batch);
  written += batch.length;
  batch = [];
  size = 0;
};
const take = (line) => {
  const { collection, document, end, documents } = EJSON.parse(line, { relaxed: false });
  if (end) {
    expected = Number(documents);
    return;
  }
  if (collection !== ofCollection || batch.length >= BATCH || size >= BATCH_SIZE) flush();
  ofCollection = collection;
  batch.push(document);
  size += line.length;
};

// Standard input may be larger than memory.
const bytes = Buffer.alloc(1 << 20);
let rest = Buffer.alloc(0);
for (let count = readSync(0, bytes); count > 0; count = readSync(0, bytes)) {
  rest = Buffer.concat([rest, bytes.subarray(0, count)]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    take(rest.subarray(0, end).toString('utf8'));
    rest = rest.subarray(end + 1);
  }
}
flush();
if (written !== expected) throw new Error(`the backup has ${expected} documents, and ${written} were written`);
print(`wrote ${written} documents to MongoDB`);
