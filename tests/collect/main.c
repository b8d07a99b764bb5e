/* Calls the report of a library or archive. */
void collect_report_print(void);
int main(void) { collect_report_print(); return 0; }
