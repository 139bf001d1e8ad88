import { describe, expect, it } from '@jest/globals';
import { databaseIn } from './connection.js';

describe('the database name in a URL', () => {
  it.each([
    ['mongodb://db', 'petstore'],
    ['mongodb://db/', 'petstore'],
    ['mongodb://db/?replicaSet=rs0', 'petstore'],
    ['mongodb://db?replicaSet=rs0', 'petstore'],
    ['mongodb://me:secret@db-1:27017,db-2:27017/shop?replicaSet=rs0', 'shop'],
    ['mongodb+srv://me:secret@db.example.com/shop', 'shop'],
    ['mongodb://db/pets%2Dof%2Dthe%2Dnorth', 'pets-of-the-north'],
    ['mongodb://db/?appName=a/b', 'petstore'],
  ])('%s is %s', (url, name) => expect(databaseIn(url)).toBe(name));
});
