/* global Mongo, print, process */
// Run by mongosh. Creates the replica set of three members and the user of the service, unless they exist.
const HOSTS = ['mongodb-1:27017', 'mongodb-2:27017', 'mongodb-3:27017'];
const NOT_YET_INITIATED = 94;
const { ROOT_PASSWORD, PETSTORE_PASSWORD } = process.env;
const root = `root:${encodeURIComponent(ROOT_PASSWORD)}`;

const first = new Mongo(`mongodb://${root}@${HOSTS[0]}/admin?directConnection=true`).getDB('admin');
try {
  first.runCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.code !== NOT_YET_INITIATED) throw error;
  first.adminCommand({ replSetInitiate: { _id: 'rs0', members: HOSTS.map((host, index) => ({ _id: index, host })) } });
  print('created the replica set');
}

// With the name of the set, the driver waits for a primary and sends the commands to it.
const petstore = new Mongo(`mongodb://${root}@${HOSTS.join(',')}/?authSource=admin&replicaSet=rs0`).getDB('petstore');
if (petstore.getUser('petstore') === null) {
  petstore.createUser({ user: 'petstore', pwd: PETSTORE_PASSWORD, roles: [{ role: 'readWrite', db: 'petstore' }] });
  print('created the user');
}
