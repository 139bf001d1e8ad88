import fastify from 'fastify';
export const spoken = fastify;
