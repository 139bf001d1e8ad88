import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './console.css';
import { Console } from './console.js';
import { startActing } from './acting.js';
import { startLive } from './live.js';
import { followLink } from './one-time-link.js';
import { answerFromWindow } from './sign-in-window.js';

/** Shows the console. A one-time link signs in before the first page appears, or when it is opened in a tab that shows one already. */
const start = async (element: HTMLElement): Promise<void> => {
  addEventListener('hashchange', () => void followLink());
  startLive();
  startActing();
  await followLink();
  render(<Console />, element);
};

const place = document.getElementById('console');
const answer = document.getElementById('signed-in');
if (place !== null) void start(place);
else if (answer !== null) answer.textContent = answerFromWindow();
