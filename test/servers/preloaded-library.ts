import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './data-folder.js';

/** A library for LD_PRELOAD, or the reason why there is none. `folder` is for files that the library and the test share. */
export type PreloadedLibrary = { readonly library: string | null; readonly reason: string; readonly folder: string };

/** Compiles a C program to a library that replaces functions of the C library. */
export const compileLibrary = (source: string): PreloadedLibrary => {
  const folder = newFolder();
  if (process.platform !== 'linux') return { library: null, reason: 'LD_PRELOAD is used on Linux only', folder };
  const [file, library] = [join(folder, 'library.c'), join(folder, 'library.so')];
  writeFileSync(file, source);
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, file, '-ldl'], { stdio: 'pipe' });
    return { library, reason: '', folder };
  } catch (error) {
    return { library: null, reason: `there is no C compiler: ${String(error).split('\n')[0]}`, folder };
  }
};
