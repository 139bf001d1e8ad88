import { render } from 'preact';
export const start = (element) => render('', element);
