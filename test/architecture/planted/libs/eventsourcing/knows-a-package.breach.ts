import { Observable } from 'rxjs';
export const observed = Observable;
