int files_crash_placeholder = 0;
