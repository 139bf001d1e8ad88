import { MongoClient } from 'mongodb';
export const opened = MongoClient;
