# Datasets, outputs and sequences against a real Redis, killed on the way.
hive_test(redis_test SOURCES redis_connection_test.cpp redis_lists_test.cpp redis_dataset_test.cpp redis_output_test.cpp
        redis_sequences_test.cpp redis_tls_test.cpp
    LINKS hive_worker hive_redis hive_tests_support LABELS system threads)
